import { composeLetter, momentInWords } from '#server/mail/letter.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';

type Recipient = { id: string; email: string; username: string; firstName: string | null };

type Words = { subject: string; done: string; danger: string };

const LOCKED_OUT = 'choose ‘Forgot your password?’ on the sign-in page and tick ‘Remove all passkeys’';

const words = {
  'passkey-added': {
    subject: 'A passkey was added to your account at',
    done: 'A passkey was added to',
    danger: `someone else can get into your account. Sign in, remove the passkey under Profile and change your password right away. If you can’t sign in, ${LOCKED_OUT}.`,
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your account at',
    done: 'A passkey was removed from',
    danger: `someone else can get into your account. Sign in, check your passkeys under Profile and change your password right away. If you can’t sign in, ${LOCKED_OUT}.`,
  },
  'passkey-asked-for': {
    subject: 'Your account now asks for a passkey at',
    done: 'The passkey check was turned on for',
    danger:
      'someone else can get into your account. Ask whoever runs the server to give you a new password and remove all passkeys. The command for both is: npm run admin -- reset',
  },
  'passkey-not-asked-for': {
    subject: 'Your account no longer asks for a passkey at',
    done: 'The passkey check was turned off for',
    danger:
      'someone else can get into your account. Sign in, check your passkeys under Profile and change your password right away.',
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
      { paragraph: `If this was you, or ${teacherTitle} helping you, you don’t need to do anything.` },
      { paragraph: `If it wasn’t, ${danger} Then tell ${teacherTitle}.` },
      { button: 'View my passkeys', href: new URL('/change-password', publicUrl).href },
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
