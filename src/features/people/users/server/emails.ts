import { composeLetter, type LetterPart } from '#server/mail/letter.ts';
import type { Mail } from '#server/mail/queue.ts';
import { ISSUED_PASSWORD_DAYS } from '#features/accounts/limits.ts';
import type { Settings } from '#server/config/settings.ts';

/** Name and URL of this community. */
export type Community = Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>;

/** Reason for sending credentials. */
export type Occasion = 'approved' | 'invited' | 'again';

type Recipient = { id: string; email: string; username: string; firstName: string | null };

/**
 * Composes the mail with the credentials, in the teacher's name. The password is stored in plain text nowhere
 * else.
 */
export function credentialsMail(
  community: Community,
  user: Recipient,
  password: string,
  occasion: Occasion,
): Mail {
  const { appName, teacherTitle, publicUrl } = community;
  const parts: LetterPart[] = [
    { paragraph: opening(occasion, appName) },
    {
      values: [
        ['Username', user.username],
        ['Password', password],
      ],
    },
    {
      paragraph: `Please sign in within ${ISSUED_PASSWORD_DAYS} days. After that this password stops working.`,
    },
    { button: `Sign in to ${appName}`, href: publicUrl.href },
    { paragraph: 'In place of the username you may also give the email address that this letter came to.' },
    {
      paragraph:
        'This password was made for you and stands in this letter. Please choose one of your own once you have signed in, here:',
    },
    { button: 'Choose your own password', href: new URL('/change-password', publicUrl).href },
  ];
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts,
    closing: `With warm wishes for your practice,\n${teacherTitle}`,
  };
  return {
    kind: 'credentials',
    userId: user.id,
    recipient: user.email,
    subject: subject(occasion, appName),
    ...composeLetter(letter, appName),
  };
}

const subject = (occasion: Occasion, appName: string) =>
  occasion === 'again' ? `Your new password for ${appName}` : `Welcome to ${appName}: how to sign in`;

function opening(occasion: Occasion, appName: string): string {
  switch (occasion) {
    case 'approved':
      return `Thank you for asking to learn with us. I am glad to welcome you to ${appName}, where we learn our songs by listening, singing and listening again. This is how you come in:`;
    case 'invited':
      return `I would like to invite you to ${appName}, where we learn our songs by listening, singing and listening again. A place is ready for you. This is how you come in:`;
    case 'again':
      return `Here is a new password for ${appName}. The one that you may have had before is no longer valid. This is how you come in:`;
  }
}
