import { renderEmailBody, formatLongUtcDateTime, getHelpContact } from '#server/mail/email-body.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';

type Recipient = {
  id: string;
  email: string;
  username: string;
  firstName: string | null;
  role: 'admin' | 'student';
};

type EmailText = {
  subject: string;
  done: string;
  danger: (contact: string, lockedOutHelp: string) => string;
};

const IN_PROFILE = 'someone else may be using your account. Sign in right away, open Profile,';

/**
 * Help for users who can't sign in. Teachers must ask whoever runs the server, because a reset link can't
 * remove the passkeys of a teacher with a second factor.
 */
const LOCKED_OUT_HELP = {
  admin:
    'If you can’t sign in, ask whoever runs the server to give you a new password and remove all passkeys.',
  student:
    'If you can’t sign in, choose “Forgot your password?” on the sign-in page and tick “Remove all passkeys”.',
};

const emailTexts = {
  'passkey-added': {
    subject: 'A passkey was added to your account at',
    done: 'A passkey was added to',
    danger: (contact, lockedOutHelp) =>
      `${IN_PROFILE} remove that passkey and change your password. ${lockedOutHelp} Then tell ${contact}.`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account at',
    done: 'A passkey was removed from',
    danger: (contact, lockedOutHelp) =>
      `${IN_PROFILE} remove any passkey that isn’t yours and change your password. ${lockedOutHelp} Then tell ${contact}.`,
  },
  'passkey-asked-for': {
    subject: 'You now need a passkey to sign in to',
    done: '“Ask for my passkey after the password” was turned on for',
    danger: () =>
      'someone else may be using your account. Ask whoever runs the server right away to give you a new password and remove all passkeys. To do both, they type: npm run admin -- reset EMAIL --remove-passkeys (with your email address).',
  },
  'passkey-not-asked-for': {
    subject: 'You no longer need a passkey to sign in to',
    done: '“Ask for my passkey after the password” was turned off for',
    danger: (contact) =>
      `${IN_PROFILE} remove any passkey that isn’t yours and change your password. Then tell ${contact}.`,
  },
} satisfies Record<string, EmailText>;

export type PasskeyEmailKind = keyof typeof emailTexts;

export function composePasskeyEmail(
  kind: PasskeyEmailKind,
  user: Recipient,
  at: Date,
  { appName, teacherTitle, publicUrl }: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>,
): Mail {
  const { subject, done, danger } = emailTexts[kind];
  const contact = getHelpContact(user, teacherTitle);
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      { paragraph: `${done} your account ${user.username} at ${appName} on ${formatLongUtcDateTime(at)}.` },
      { paragraph: `If you or ${contact} did this, you don’t need to do anything.` },
      { paragraph: `If not, ${danger(contact, LOCKED_OUT_HELP[user.role])}` },
      { button: 'View my passkeys', href: new URL('/change-password', publicUrl).href },
    ],
    closing: appName,
  };
  return {
    kind,
    userId: user.id,
    recipient: user.email,
    subject: `${subject} ${appName}`,
    ...renderEmailBody(letter, appName),
  };
}
