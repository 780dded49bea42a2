import { composeLetter } from '../../../platform/server/mail/letter.ts';
import { momentInWords } from '../../../platform/server/mail/moment.ts';
import type { Mail } from '../../../platform/server/mail/queue.ts';
import type { Settings } from '../../../platform/server/settings.ts';

type Recipient = { id: string; email: string; username: string; firstName: string | null };

const words = {
  'passkey-added': {
    done: 'A passkey was added to',
    after: 'Please sign in, remove it under Profile, and choose another password at once',
    subject: 'A passkey was added to your account at',
  },
  'passkey-removed': {
    done: 'A passkey was removed from',
    after: 'Please sign in, look at your passkeys under Profile, and choose another password at once',
    subject: 'A passkey was removed from your account at',
  },
};

export function passkeyMail(
  kind: keyof typeof words,
  user: Recipient,
  at: Date,
  { appName, teacherTitle, publicUrl }: Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>,
): Mail {
  const { done, after, subject } = words[kind];
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      { paragraph: `${done} your account ${user.username} at ${appName} on ${momentInWords(at)}.` },
      { paragraph: `If it was you, or ${teacherTitle} for you, there is nothing to do.` },
      {
        paragraph: `If it was not, somebody else can get into your account. ${after}, and tell ${teacherTitle}.`,
      },
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
