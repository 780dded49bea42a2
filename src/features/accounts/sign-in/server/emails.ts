import { renderEmailBody, formatLongUtcDateTime, getHelpContact } from '#server/mail/email-body.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';
import { SIGN_IN_TOKEN_TTL_MINUTES, buildSignInUrl } from '../limits.ts';

type Recipient = {
  id: string;
  email: string;
  username: string;
  firstName: string | null;
  role: 'admin' | 'student';
};
type EmailSettings = Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>;

/**
 * @param device short description of the browser, derived from its User-Agent; null if it is no longer stored
 */
export function composeNewDeviceEmail(
  user: Recipient,
  device: string | null,
  at: Date,
  place: EmailSettings,
): Mail {
  const { appName, teacherTitle, publicUrl } = place;
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      {
        paragraph: `Someone signed in to your account ${user.username} at ${appName} on a new device${device ? ` (${device})` : ''} on ${formatLongUtcDateTime(at)}.`,
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
    kind: 'new-device',
    userId: user.id,
    recipient: user.email,
    subject: `A new device signed in to your account at ${appName}`,
    ...renderEmailBody(letter, appName),
  };
}

/**
 * Composes the email with a sign-in link. The link is built from the configured URL, never from request
 * headers, which could be forged.
 */
export function composeSignInLinkEmail(user: Recipient, token: string, place: EmailSettings): Mail {
  const { appName, publicUrl } = place;
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      {
        paragraph: `Here is the link you asked for, to sign in to your account ${user.username} at ${appName}.`,
      },
      { button: 'Sign in', href: buildSignInUrl(publicUrl, 'link', token) },
      {
        paragraph: `This link works once and expires in ${SIGN_IN_TOKEN_TTL_MINUTES} minutes. If you ask for another link, this one stops working.`,
      },
      { paragraph: 'If you didn’t ask for this, ignore this email and don’t forward it to anyone.' },
    ],
    closing: appName,
  };
  return {
    kind: 'sign-in-link',
    userId: user.id,
    recipient: user.email,
    subject: `Sign in to ${appName}`,
    ...renderEmailBody(letter, appName),
  };
}
