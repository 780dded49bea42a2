import { renderEmailBody } from '#server/mail/email-body.ts';
import type { Mail } from '#server/mail/queue.ts';
import type { Settings } from '#server/config/settings.ts';

type Reader = { id: string; email: string; firstName: string | null; username: string; newsToken: string };
type EmailSettings = Pick<Settings, 'appName' | 'teacherTitle' | 'publicUrl'>;

export type NotificationKind = 'feedback-given' | 'recordings-waiting';

/**
 * Composes an email that announces feedback or waiting recordings without their content, because other people
 * may also read the user's email.
 */
export function composeNotificationEmail(kind: NotificationKind, reader: Reader, words: EmailSettings): Mail {
  const { subject, sentence, button, path } = NEWS_TEXTS[kind](words);
  const page = new URL(`/unsubscribe#token=${reader.newsToken}`, words.publicUrl);
  // Puts the token in the query, because mail providers request this URL themselves and a request doesn't
  // include a fragment.
  const oneClick = new URL(`/unsubscribe?token=${reader.newsToken}`, words.publicUrl);
  return {
    kind,
    userId: reader.id,
    recipient: reader.email,
    subject,
    unsubscribeUrl: oneClick.href,
    ...renderEmailBody(
      {
        greeting: `Dear ${reader.firstName ?? reader.username},`,
        parts: [
          { paragraph: sentence },
          { button, href: new URL(path, words.publicUrl).href },
          { link: 'To stop these emails, open this link (you don’t need to sign in)', href: page.href },
        ],
        closing: words.appName,
      },
      words.appName,
    ),
  };
}

const NEWS_TEXTS = {
  'feedback-given': ({ appName, teacherTitle }: EmailSettings) => ({
    subject: `${teacherTitle} sent you feedback`,
    sentence: `${teacherTitle} has listened to your recording. Your feedback is waiting for you in ${appName}.`,
    button: 'View Feedback',
    path: '/feedback',
  }),
  'recordings-waiting': ({ appName }: EmailSettings) => ({
    subject: 'Recordings are waiting for you',
    sentence: `Students have sent you recordings. They’re waiting in your inbox in ${appName}.`,
    button: 'Open the Admin Inbox',
    path: '/admin',
  }),
} satisfies Record<NotificationKind, (words: EmailSettings) => object>;
