import { composeLetter } from '../../../platform/server/mail/letter.ts';
import { momentInWords } from '../../../platform/server/mail/moment.ts';
import type { Mail } from '../../../platform/server/mail/queue.ts';
import type { Settings } from '../../../platform/server/settings.ts';

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
        paragraph: `If it was not you, somebody knows your password. Please choose another one at once, which signs out every device, and tell ${teacherTitle}.`,
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
