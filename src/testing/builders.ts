import { mkdir, writeFile } from 'node:fs/promises';
import { createHash, randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { rateLimitedAttempts, mails, transmissionLevels, users } from '#server/db/schema.ts';
import { insertUser } from '#features/people/users/server/store.ts';
import { renderEmailBody } from '#server/mail/email-body.ts';
import { queueMail, type Mail } from '#server/mail/queue.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import type { Staging } from '#server/media/staging.ts';
import type { Services } from '#app/server/server.ts';
import { createTone } from './tone.ts';

/** Password of every user created here. */
export const TEST_PASSWORD = 'om-mani-padme-hum';

let hashed: Promise<string> | undefined;

type Attempt = typeof rateLimitedAttempts.$inferInsert;

/**
 * Creates builders for test data, including the rows that the data depends on. The builders use the services,
 * so that no impossible state arises.
 */
export function createBuilders(services: Services, db: Db, staging: Staging) {
  const unique = () => randomUUID().slice(0, 8);

  async function user(
    role: 'admin' | 'student',
    given: { firstName?: string; lastName?: string; username?: string },
  ) {
    const username = given.username ?? `${role}-${unique()}`;
    const firstName = given.firstName ?? 'Tashi';
    const lastName = given.lastName ?? 'Dolma';
    const password = await (hashed ??= hashPassword(TEST_PASSWORD));
    return insertUser(db, {
      email: `${username}@example.org`,
      username,
      firstName,
      lastName,
      password,
      role,
    });
  }

  async function levelNamed(name: string) {
    const [found] = await db.select().from(transmissionLevels).where(eq(transmissionLevels.name, name));
    if (found) return found;
    const [made] = await db.insert(transmissionLevels).values({ name }).returning();
    return made!;
  }

  async function staged(bytes: Uint8Array) {
    await mkdir(staging.folder, { recursive: true });
    const path = staging.newPath();
    await writeFile(path, bytes);
    return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  }

  const make = {
    teacher: (given: { firstName?: string; lastName?: string; username?: string } = {}) =>
      user('admin', given),

    async student(
      given: { firstName?: string; lastName?: string; username?: string; levels?: string[] } = {},
    ) {
      const made = await user('student', given);
      for (const name of given.levels ?? []) await make.grant(made, name);
      return made;
    },

    async grant(student: { id: string }, levelName: string) {
      const level = await levelNamed(levelName);
      const teacher = await make.teacher();
      await services.users.grant(student.id, level.id, teacher);
      return level;
    },

    level: levelNamed,

    /** Stages a file as an upload would. */
    staged,

    disable: (disabled: { id: string }) =>
      db.update(users).set({ isActive: false }).where(eq(users.id, disabled.id)),

    /**
     * Inserts attempts as if one IP address had tried this many different usernames, email addresses or user
     * ids.
     */
    attempts: ({
      at = new Date(),
      count,
      ...row
    }: Pick<Attempt, 'kind' | 'address'> & { at?: Date; count: number }) =>
      db
        .insert(rateLimitedAttempts)
        .values(Array.from({ length: count }, () => ({ ...row, at, subject: randomUUID() }))),

    /** Creates a pending request for access. */
    async request(given: { fullName?: string; email?: string } = {}) {
      const email = given.email ?? `guest-${unique()}@example.org`;
      // Uses a different IP address for each request, so that no rate limit is reached.
      await services.registrations.request({ fullName: given.fullName ?? 'Sonam Wangmo', email }, unique());
      const requests = await services.registrations.list();
      return requests.rows.find((request) => request.email === email)!;
    },

    async melody(
      given: {
        title?: string;
        level?: string;
        text?: string;
        audio?: Uint8Array | null;
        thumbnail?: Uint8Array;
      } = {},
    ) {
      const level = await levelNamed(given.level ?? 'Open to All');
      const audio = given.audio === undefined ? createTone(1) : given.audio;
      const { melody } = await services.melodies.add(
        {
          title: given.title ?? `Melody ${unique()}`,
          transmissionLevelId: level.id,
          ...(given.text !== undefined && { melodyText: given.text }),
        },
        {
          ...(audio && { audioFile: await staged(audio) }),
          ...(given.thumbnail && { thumbnail: await staged(given.thumbnail) }),
        },
        await make.teacher(),
      );
      return melody;
    },

    /**
     * Adds a melody without any practice days to the log of a student who may hear the melody.
     * @returns the melody's id in the log
     */
    async practisedMelody({ id }: { id: string }, melody: { id: number }) {
      const student = { id, role: 'student' } as const;
      await services.practiceLog.choose(student, true);
      const day = new Date().toISOString().slice(0, 10);
      const nothing = { clientId: randomUUID(), melodyId: melody.id, day, seconds: 0, times: 0 };
      await services.practiceLog.add(student, [nothing]);
      const log = await services.practiceLog.list(student);
      return log.find(({ melodyId }) => melodyId === melody.id)!.id;
    },

    async recording(
      given: {
        student?: { id: string };
        title?: string;
        message?: string;
        seconds?: number;
        melodyId?: number;
      } = {},
    ) {
      const student = given.student ?? (await make.student());
      const { recording } = await services.recordings.submit(
        {
          title: given.title ?? `Recording ${unique()}`,
          message: given.message,
          melodyId: given.melodyId,
        },
        await staged(createTone(given.seconds ?? 1)),
        { id: student.id, role: 'student' },
      );
      return recording;
    },

    async feedback(
      given: { student?: { id: string }; melodyId?: number; written?: string; spoken?: boolean } = {},
    ) {
      const { student, melodyId } = given;
      const recording = await make.recording({
        ...(student && { student }),
        ...(melodyId !== undefined && { melodyId }),
      });
      const { feedback } = await services.feedback.send(
        { recordingId: recording.id, writtenFeedback: given.written ?? 'Beautiful.' },
        given.spoken ? await staged(createTone(2)) : undefined,
        await make.teacher(),
      );
      return feedback;
    },

    /** Queues an email. It is not delivered unless the test starts a worker. */
    async mail(user?: { id: string; email: string }, given: Partial<Mail> = {}) {
      const to = user ?? (await make.student());
      await db.transaction((tx) =>
        queueMail(tx, {
          kind: 'credentials',
          userId: to.id,
          recipient: to.email,
          subject: 'Welcome',
          ...renderEmailBody({ greeting: 'Tashi delek', parts: [], closing: 'Khandro-la' }, 'Yangchen'),
          ...given,
        }),
      );
      const [queued] = await db
        .select()
        .from(mails)
        .where(eq(mails.userId, to.id))
        .orderBy(desc(mails.id))
        .limit(1);
      return queued!;
    },
  };
  return make;
}
