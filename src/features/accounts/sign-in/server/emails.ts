import { composeLetter, momentInWords } from '#server/mail/letter.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';
import { SIGN_IN_MINUTES, tokenAddress } from '../limits.ts';

type Recipient = { id: string; email: string; username: string; firstName: string | null };
type Place = Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>;

/** @param device in our own words; null if no longer known */
export function newDeviceMail(user: Recipient, device: string | null, at: Date, place: Place): Mail {
  const { appName, teacherTitle, publicUrl } = place;
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      {
        paragraph: `On ${momentInWords(at)} somebody signed in to your account ${user.username} at ${appName} on a device where it had not been used before${device ? `: ${device}` : ''}.`,
      },
      { paragraph: 'If it was you, there is nothing to do.' },
      {
        paragraph: `If it was not you, somebody else can get into your account. Please choose another password at once, which signs out every device, and tell ${teacherTitle}.`,
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
    ...composeLetter(letter, appName),
  };
}

/**
 * Composes the mail with a sign-in link, built from the installation's own URL and never from a request's
 * headers.
 */
export function signInLinkMail(user: Recipient, token: string, place: Place): Mail {
  const { appName, publicUrl } = place;
  const letter = {
    greeting: `Dear ${user.firstName ?? user.username},`,
    parts: [
      { paragraph: `A link to sign in was asked for, for your account ${user.username} at ${appName}.` },
      { button: 'Sign in', href: tokenAddress(publicUrl, 'link', token) },
      { paragraph: `This link works once, within ${SIGN_IN_MINUTES} minutes. A newer one takes its place.` },
      { paragraph: 'If it was not you who asked, do nothing, and pass this mail on to nobody.' },
    ],
    closing: appName,
  };
  return {
    kind: 'sign-in-link',
    userId: user.id,
    recipient: user.email,
    subject: `Sign in to ${appName}`,
    ...composeLetter(letter, appName),
  };
}
