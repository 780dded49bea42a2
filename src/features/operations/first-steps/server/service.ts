import type { NightlyBackups } from '#features/operations/backups/server/service.ts';
import type { Db } from '#server/db/database.ts';
import { AppError, createConflictError } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import { renderEmailBody } from '#server/mail/email-body.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Caller } from '#server/auth/sessions.ts';
import { FIRST_ADMIN_PLACEHOLDER_EMAIL, type Settings } from '#server/config/settings.ts';
import * as store from './store.ts';

export type FirstStepsService = ReturnType<typeof createFirstStepsService>;

const HOUR_MS = 60 * 60 * 1000;
const MAX_TESTS_PER_HOUR = 5;

type Deps = {
  db: Db;
  backups: Pick<NightlyBackups, 'getState'>;
  clock: Clock;
  settings: Pick<Settings, 'appName' | 'mailServer'>;
};

/** Creates the service that tracks a teacher's first steps on a new installation. */
export function createFirstStepsService({ db, backups, clock, settings }: Deps) {
  return {
    async getState({ id, firstName, email, suggestOwnPassword }: Caller) {
      const { isDismissed, levels, melodies, students, mailed } = await store.getFirstStepsProgress(db, id);
      const { latest } = await backups.getState();
      return {
        isDismissed,
        who: firstName !== null && email !== FIRST_ADMIN_PLACEHOLDER_EMAIL && !suggestOwnPassword,
        ...{ levels, melodies, students },
        mail: {
          hasServer: !!settings.mailServer,
          isDone: !!settings.mailServer && mailed,
          test: await store.findLastTestMail(db, id),
        },
        backup: latest !== null,
      };
    },

    dismiss: (userId: string) => store.dismissFirstSteps(db, userId),

    /**
     * Queues a test email to the teacher.
     * @throws AppError 'conflict' without a mail server; 'too-many' above the hourly limit
     */
    async sendTestMail(userId: string) {
      if (!settings.mailServer) throw createConflictError('Email isn’t set up on this server.');
      await db.transaction(async (tx) => {
        const user = await store.lockUser(tx, userId);
        if (!user) return;
        const since = new Date(clock().getTime() - HOUR_MS);
        if ((await store.countTestMails(tx, userId, since)) >= MAX_TESTS_PER_HOUR) {
          throw new AppError(
            'too-many',
            'You’ve sent several test emails. Please wait an hour before you send another.',
            {
              retryAfter: 3600,
            },
          );
        }
        await queueMail(tx, composeTestEmail(user, settings.appName));
      });
    },

    /**
     * Queues a new test email after one that did not arrive.
     * @returns false if the user is deleted or disabled
     */
    async sendTestAgain(tx: Db, userId: string) {
      const user = await store.lockUser(tx, userId);
      if (user?.isActive) await queueMail(tx, composeTestEmail(user, settings.appName));
      return user?.isActive === true;
    },
  };
}

type Recipient = { id: string; email: string; username: string; firstName: string | null };

const composeTestEmail = (user: Recipient, appName: string) => ({
  kind: 'test-mail' as const,
  userId: user.id,
  recipient: user.email,
  subject: `Test email from ${appName}`,
  ...renderEmailBody(
    {
      greeting: `Dear ${user.firstName ?? user.username},`,
      parts: [
        { paragraph: `This is the test email you asked for. Emails from ${appName} reach you.` },
        { paragraph: 'If you found it in your spam folder, your students’ emails may end up there too.' },
      ],
      closing: appName,
    },
    appName,
  ),
});
