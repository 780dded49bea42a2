import { renderEmailBody, formatLongUtcDateTime, getHelpContact } from '#server/mail/email-body.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';

type Account = {
  id: string;
  email: string;
  username: string;
  firstName: string | null;
  role: 'admin' | 'student';
};

/**
 * Composes the email about a changed email address or username. It goes to the old address, which may be the
 * only address that the user reads, and doesn't mention the new one.
 */
export function composeAccountChangedEmail(
  before: Account,
  after: Account,
  at: Date,
  { appName, teacherTitle }: Pick<Settings, 'appName' | 'teacherTitle'>,
): Mail {
  const what = [
    ...(before.email === after.email ? [] : ['email address']),
    ...(before.username === after.username ? [] : ['username']),
  ].join(' and ');
  const contact = getHelpContact(before, teacherTitle);
  const letter = {
    greeting: `Dear ${before.firstName ?? before.username},`,
    parts: [
      {
        paragraph: `The ${what} of your account ${before.username} at ${appName} changed on ${formatLongUtcDateTime(at)}.`,
      },
      { paragraph: `If you or ${contact} did this, you don’t need to do anything.` },
      {
        paragraph: `If not, someone else may have access to your account. Tell ${contact} right away, and change your password if you can still sign in.`,
      },
    ],
    closing: appName,
  };
  return {
    kind: 'account-changed',
    userId: before.id,
    recipient: before.email,
    subject: `Your account at ${appName} was changed`,
    ...renderEmailBody(letter, appName),
  };
}
