import { composeLetter } from '../../../platform/server/mail/letter.ts';
import type { Mail } from '../../../platform/server/mail/queue.ts';
import { RESET_LINK_HOURS } from '../limits.ts';

type Recipient = {
  id: string;
  email: string;
  username: string;
  firstName: string | null;
  lastName: string | null;
};

/** The link goes where the installation says that it is, never where a request claims to have come from. */
export function resetMail(user: Recipient, token: string, place: { appName: string; publicUrl: URL }): Mail {
  const link = new URL('/reset-password', place.publicUrl);
  link.searchParams.set('token', token);
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username;
  const letter = {
    greeting: `Dear ${name},`,
    parts: [
      { paragraph: `A new password was asked for, for your account ${user.username} at ${place.appName}.` },
      { button: 'Choose a new password', href: link.href },
      { paragraph: `This link works once, within ${RESET_LINK_HOURS} hours.` },
      { paragraph: 'If it was not you who asked, do nothing: your password stays as it is.' },
    ],
    closing: place.appName,
  };
  return {
    kind: 'password-reset',
    userId: user.id,
    recipient: user.email,
    subject: `Choose a new password for ${place.appName}`,
    ...composeLetter(letter, place.appName),
  };
}
