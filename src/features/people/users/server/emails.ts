import { renderEmailBody, type EmailBodyPart } from '#server/mail/email-body.ts';
import type { Mail } from '#server/mail/queue.ts';
import { ISSUED_PASSWORD_TTL_DAYS } from '#features/accounts/limits.ts';
import type { Settings } from '#server/config/settings.ts';

/** Name and URL of this community, and its teacher's title. */
export type CommunitySettings = Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>;

/** Reason for sending credentials; 'again' for a new password for an existing user. */
export type CredentialsEmailReason = 'approved' | 'invited' | 'again';

type Recipient = { id: string; email: string; username: string; firstName: string | null };

/**
 * Composes the email with the credentials, in the teacher's name. The server stores the password in plain
 * text only in this email.
 */
export function composeCredentialsEmail(
  community: CommunitySettings,
  user: Recipient,
  password: string,
  occasion: CredentialsEmailReason,
): Mail {
  const { appName, teacherTitle, publicUrl } = community;
  const parts: EmailBodyPart[] = [
    { paragraph: composeOpening(occasion, appName) },
    {
      values: [
        ['Username', user.username],
        ['Password', password],
      ],
    },
    {
      paragraph: `Please sign in within ${ISSUED_PASSWORD_TTL_DAYS} days. After that this password stops working.`,
    },
    { button: `Sign in to ${appName}`, href: publicUrl.href },
    { paragraph: 'You can also sign in with your email address instead of the username.' },
    {
      paragraph: 'This password was generated for you. Once you’ve signed in, please choose your own here:',
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
    subject: composeSubject(occasion, appName),
    ...renderEmailBody(letter, appName),
  };
}

const composeSubject = (occasion: CredentialsEmailReason, appName: string) =>
  occasion === 'again' ? `Your new password for ${appName}` : `Welcome to ${appName}: how to sign in`;

function composeOpening(occasion: CredentialsEmailReason, appName: string): string {
  switch (occasion) {
    case 'approved':
      return `Thank you for asking to learn with us. I am glad to welcome you to ${appName}, where we learn our songs by listening, singing and listening again. Here’s how to sign in:`;
    case 'invited':
      return `I would like to invite you to ${appName}, where we learn our songs by listening, singing and listening again. Your account is ready. Here’s how to sign in:`;
    case 'again':
      return `Here is a new password for ${appName}. Any earlier password has stopped working. Here’s how to sign in:`;
  }
}
