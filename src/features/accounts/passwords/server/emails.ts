import { renderEmailBody, formatLongUtcDateTime, getHelpContact } from '#server/mail/email-body.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';
import { RESET_LINK_TTL_HOURS } from '../limits.ts';

type Recipient = {
  id: string;
  email: string;
  username: string;
  firstName: string | null;
  lastName: string | null;
  role: 'admin' | 'student';
};

/**
 * Composes the email with a reset link. The link is built from the configured URL, never from request headers,
 * which could be forged.
 */
export function composeResetEmail(
  user: Recipient,
  token: string,
  place: { appName: string; publicUrl: URL },
): Mail {
  const link = new URL('/reset-password', place.publicUrl);
  link.searchParams.set('token', token);
  const letter = {
    greeting: composeGreeting(user),
    parts: [
      {
        paragraph: `We received a request for a new password for your account ${user.username} at ${place.appName}.`,
      },
      { button: 'Choose a new password', href: link.href },
      { paragraph: `This link works once and expires in ${RESET_LINK_TTL_HOURS} hours.` },
      { paragraph: 'If you didn’t ask for this, ignore this email. Your password won’t change.' },
    ],
    closing: place.appName,
  };
  return {
    kind: 'password-reset',
    userId: user.id,
    recipient: user.email,
    subject: `Choose a new password for ${place.appName}`,
    ...renderEmailBody(letter, place.appName),
  };
}

type EmailSettings = Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>;

/** Composes the email about a changed password. It doesn't contain the new password. */
export function composePasswordChangedEmail(
  user: Recipient,
  at: Date,
  place: EmailSettings,
  { hasRemovedPasskeys = false }: { hasRemovedPasskeys?: boolean } = {},
): Mail {
  const { appName, teacherTitle, publicUrl } = place;
  const letter = {
    greeting: composeGreeting(user),
    parts: [
      {
        paragraph: `The password for your account ${user.username} at ${appName} was changed on ${formatLongUtcDateTime(at)}.${hasRemovedPasskeys ? ' All passkeys were removed too.' : ''}`,
      },
      { paragraph: 'If this was you, you don’t need to do anything.' },
      {
        paragraph: `If it wasn’t you, someone else has access to your account. Choose a new password right away. This signs out every device. Then tell ${getHelpContact(user, teacherTitle)}.`,
      },
      { button: 'Choose a new password', href: new URL('/forgot-password', publicUrl).href },
    ],
    closing: appName,
  };
  return {
    kind: 'password-changed',
    userId: user.id,
    recipient: user.email,
    subject: `Your password for ${appName} was changed`,
    ...renderEmailBody(letter, appName),
  };
}

const composeGreeting = ({ firstName, lastName, username }: Recipient) =>
  `Dear ${[firstName, lastName].filter(Boolean).join(' ') || username},`;
