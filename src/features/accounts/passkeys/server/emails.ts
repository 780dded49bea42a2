import { composeLetter, momentInWords } from '#server/mail/letter.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';

type Recipient = { id: string; email: string; username: string; firstName: string | null };

type Words = { subject: string; done: string; danger: string };

const LOCKED_OUT = 'press ‘Forgot your password?’ on the sign-in page and tick ‘Remove all passkeys’';

const words = {
  'passkey-added': {
    subject: 'A passkey was added to your account at',
    done: 'A passkey was added to',
    danger: `Somebody else can get into your account. Sign in, remove the passkey under Profile, and choose another password at once. If you can’t sign in, ${LOCKED_OUT}.`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account at',
    done: 'A passkey was removed from',
    danger: `Somebody else can get into your account. Sign in, look at your passkeys under Profile, and choose another password at once. If you can’t sign in, ${LOCKED_OUT}.`,
  },
  'passkey-asked-for': {
    subject: 'Your account asks for a passkey now, at',
    done: 'From now on, a passkey is asked for after the password of',
    danger:
      'Somebody else can get into your account. Ask whoever runs the server to give you a new password and to remove all passkeys (npm run admin -- reset).',
  },
  'passkey-not-asked-for': {
    subject: 'Your account no longer asks for a passkey, at',
    done: 'A passkey is no longer asked for after the password of',
    danger:
      'Somebody else can get into your account. Sign in, look at your passkeys under Profile, and choose another password at once.',
  },
} satisfies Record<string, Words>;

export type PasskeyMail = keyof typeof words;

export function passkeyMail(
  kind: PasskeyMail,
  user: Recipient,
  at: Date,
  { appName, teacherTitle, publicUrl }: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>,
): Mail {
  const { subject, done, danger } = words[kind];
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      { paragraph: `${done} your account ${user.username} at ${appName} on ${momentInWords(at)}.` },
      { paragraph: `If it was you, or ${teacherTitle} for you, there is nothing to do.` },
      { paragraph: `If it wasn’t: ${danger} Then tell ${teacherTitle}.` },
      { button: 'Look at my passkeys', href: new URL('/change-password', publicUrl).href },
    ],
    closing: appName,
  };
  return {
    kind,
    userId: user.id,
    recipient: user.email,
    subject: `${subject} ${appName}`,
    ...composeLetter(letter, appName),
  };
}
