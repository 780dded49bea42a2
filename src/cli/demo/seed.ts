import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema.ts';
import { feedbackAudioSlot } from '#features/feedback/limits.ts';
import { matchLrc, parseLrc } from '#features/lyrics/lrc.ts';
import { parseSungLines } from '#features/lyrics/parse.ts';
import { toLineTimings } from '#features/lyrics/timings.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '#features/melodies/limits.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import { buildUserSearchColumns } from '#features/people/users/server/store.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { projectFolder } from '#server/config/project.ts';
import type { UploadSlot } from '#shared/media.ts';
import { createServices, type ServerDependencies, type Services } from '#app/server/server.ts';
import {
  DEMO_PASSWORD,
  DEMO_PENDING_REQUEST,
  DEMO_APPROVED_REQUEST,
  DEMO_STUDENTS,
  DEMO_RECORDINGS,
  DEMO_TEACHER,
} from './community.ts';
import { DEMO_MELODIES } from './melodies.ts';

/** Key of an advisory lock. It must differ from the keys of all other locks in the same database. */
const DEMO_LOCK = 4_118_206_397;

/** Audio files and pictures of the demo. The build does not copy them. */
const ASSETS = join(projectFolder, 'src/cli/demo/assets');

/**
 * A documentation address (RFC 5737), so that the guests' requests don't count towards anybody's rate limit.
 */
const GUEST_ADDRESS = '203.0.113.7';

/**
 * Creates the demo community, once, through the services. Uses one transaction: if the program is killed
 * halfway, there is no community, and the next start sweeps the stored files. So a community that exists is
 * complete.
 * @returns 'made'; 'found' if it was created before; 'other' if there is another community, which stays
 * unchanged
 */
export function seedDemo(parts: ServerDependencies): Promise<'made' | 'found' | 'other'> {
  return parts.database.db.transaction(async (tx) => {
    // Disables the timeout, because inspecting audio files takes a long time on a slow machine.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockDemo(tx);
    const services = createServices({ ...parts, database: { ...parts.database, db: tx } });
    for (const { username } of DEMO_STUDENTS)
      if (await services.users.findForSignIn(username)) return 'found';
    const everyone = await services.users.list({});
    const teacher = everyone.rows.find((user) => user.role === 'admin');
    if (!teacher || everyone.total > 1 || (await services.melodies.getLibrarySize()).melodies > 0)
      return 'other';

    const { firstName, lastName } = DEMO_TEACHER;
    const seed: Seed = {
      tx,
      services,
      staging: parts.staging,
      teacher: { ...teacher, firstName, lastName },
    };
    await nameTeacher(seed);
    const students = await addStudents(seed);
    const melodies = await addMelodies(seed);
    await addTakes(seed, students, melodies);
    await addGuests(seed);
    return 'made';
  });
}

/**
 * Locks the demo against a second program on the same database. The second program polls, because it may wait
 * longer than the statement timeout, and then finds what the first has created.
 */
async function lockDemo(tx: Db) {
  for (;;) {
    const { rows } = await tx.execute<{ isOurs: boolean }>(
      sql`select pg_try_advisory_xact_lock(${DEMO_LOCK}) as "isOurs"`,
    );
    if (rows[0]?.isOurs) return;
    await sleep(100);
  }
}

type Seed = {
  tx: Db;
  services: Services;
  staging: ServerDependencies['staging'];
  teacher: Awaited<ReturnType<Services['users']['list']>>['rows'][number];
};

async function nameTeacher({ tx, teacher }: Seed) {
  const { firstName, lastName } = teacher;
  await tx
    .update(users)
    .set({ firstName, lastName, ...buildUserSearchColumns(teacher) })
    .where(eq(users.id, teacher.id));
  await backdateRows(tx, 'users', 'created_at', [{ id: teacher.id, hours: 100 * 24 }]);
}

async function addStudents({ tx, services, teacher }: Seed) {
  await services.levels.initialise();
  const levels = await services.levels.list();
  const ids = new Map<string, string>();
  for (const { username, firstName, lastName, levels: count } of DEMO_STUDENTS) {
    const { user } = await services.users.createStudent(
      {
        email: `${username}@example.org`,
        firstName,
        lastName,
        transmissionLevels: levels.slice(0, count).map((level) => level.id),
      },
      teacher,
    );
    ids.set(username, user.id);
  }
  // Replaces the generated passwords, which the service shows only once, with a password that is known in
  // advance, as if each user had chosen it.
  const password = await hashPassword(DEMO_PASSWORD);
  await tx
    .update(users)
    .set({ password, suggestOwnPassword: false })
    .where(inArray(users.id, [...ids.values()]));
  // Hides the first steps, because the teacher of an established community has done them.
  await tx.update(users).set({ dismissedFirstSteps: true }).where(eq(users.role, 'admin'));
  const joined = DEMO_STUDENTS.map(({ username, joinedDaysAgo }) => ({
    id: ids.get(username)!,
    hours: joinedDaysAgo * 24,
  }));
  await backdateRows(tx, 'users', 'created_at', joined);
  // So far the audit log has one entry for each student, in order.
  const entries = (await services.audit.list()).rows.reverse();
  await backdateRows(
    tx,
    'audit_log',
    'at',
    joined.map(({ hours }, index) => ({ id: entries[index]!.id, hours })),
  );
  return ids;
}

async function addMelodies({ tx, services, staging, teacher }: Seed) {
  const levels = new Map((await services.levels.list()).map((level) => [level.name, level.id]));
  const added = new Map<string, { id: number; title: string }>();
  for (const { name, title, level, description, film } of DEMO_MELODIES) {
    const files = join(ASSETS, 'melodies', name);
    const audioFile = await stageIfExists(staging, `${files}.mp3`, melodyAudioSlot);
    const thumbnail = await stageIfExists(staging, `${files}.webp`, melodyThumbnailSlot);
    const { melody } = await services.melodies.add(
      {
        title,
        transmissionLevelId: levels.get(level)!,
        description,
        vimeoUrl: film,
        ...parseTimedText(await readFile(`${files}.txt`, 'utf8')),
      },
      { audioFile, thumbnail },
      teacher,
    );
    // Deletes the upload. The service stores an image derived from it, and leaves deleting the upload to the
    // caller.
    if (thumbnail) await staging.discard(thumbnail);
    added.set(name, melody);
  }
  const ages = DEMO_MELODIES.map(({ name, addedDaysAgo }) => ({
    id: added.get(name)!.id,
    hours: addedDaysAgo * 24,
  }));
  await backdateRows(tx, 'melodies', 'created_at', ages);
  return added;
}

/** Separates a sung text from its LRC time stamps. */
function parseTimedText(file: string) {
  const melodyText = file.replace(/^\[[\d:.]+\]/gm, '').trim();
  const lines = parseSungLines(melodyText);
  return { melodyText, timings: toLineTimings(lines, matchLrc(parseLrc(file), lines).passages) };
}

const stageIfExists = async (staging: ServerDependencies['staging'], path: string, slot: UploadSlot) =>
  existsSync(path) ? staging.receive(createReadStream(path), slot) : undefined;

async function addTakes(
  { tx, services, staging, teacher }: Seed,
  students: Map<string, string>,
  melodies: Map<string, { id: number; title: string }>,
) {
  const recorded: Age[] = [];
  const answered: Age[] = [];
  for (const { student: username, melody: name, title, message, hoursAgo, reply } of DEMO_RECORDINGS) {
    const melody = melodies.get(name)!;
    const student = { id: students.get(username)!, role: 'student' } as const;
    const sounds = join(ASSETS, 'recordings', `${username}-${name}`);
    const { recording } = await services.recordings.submit(
      { title: title ?? melody.title, message, melodyId: melody.id },
      await staging.receive(createReadStream(`${sounds}.mp3`), recordingAudioSlot),
      student,
    );
    recorded.push({ id: recording.id, hours: hoursAgo });
    if (!reply) continue;
    const { feedback } = await services.feedback.send(
      { recordingId: recording.id, writtenFeedback: reply.written, marks: reply.marks },
      await stageIfExists(staging, `${sounds}-reply.mp3`, feedbackAudioSlot),
      teacher,
    );
    await services.feedback.setStatus(feedback.id, reply.status, student);
    answered.push({ id: feedback.id, hours: reply.hoursAgo });
  }
  await backdateRows(tx, 'recordings', 'created_at', recorded);
  await backdateRows(tx, 'feedback', 'created_at', answered);
}

/** Adds one approved guest, whose email is queued, and one pending guest. */
async function addGuests({ tx, services, teacher }: Seed) {
  await services.registrations.request(DEMO_APPROVED_REQUEST, GUEST_ADDRESS);
  await services.registrations.request(DEMO_PENDING_REQUEST, GUEST_ADDRESS);
  const requests = (await services.registrations.list()).rows;
  const requestOf = (email: string) => requests.find((request) => request.email === email)!.id;
  const newcomer = requestOf(DEMO_APPROVED_REQUEST.email);
  const [open] = await services.levels.list();
  const { id } = await services.registrations.approve(newcomer, open ? [open.id] : [], teacher);
  const [entry] = (await services.audit.list()).rows;

  const approved = DEMO_APPROVED_REQUEST.approvedHoursAgo;
  await backdateRows(tx, 'users', 'created_at', [{ id, hours: approved }]);
  await backdateRows(tx, 'audit_log', 'at', [{ id: entry!.id, hours: approved }]);
  await backdateRows(tx, 'registration_requests', 'processed_at', [{ id: newcomer, hours: approved }]);
  await backdateRows(tx, 'registration_requests', 'requested_at', [
    { id: newcomer, hours: DEMO_APPROVED_REQUEST.askedHoursAgo },
    { id: requestOf(DEMO_PENDING_REQUEST.email), hours: DEMO_PENDING_REQUEST.hoursAgo },
  ]);
}

type Age = { id: number | string; hours: number };

/**
 * Backdates rows with plain SQL, because the services can only use the current time, and lists in which
 * everything happened at the same moment would look wrong.
 */
async function backdateRows(tx: Db, table: string, column: string, ages: Age[]) {
  await tx.execute(sql`
    update ${sql.identifier(table)} as aged
    set ${sql.identifier(column)} = now() - given.hours * interval '1 hour'
    from json_to_recordset(${JSON.stringify(ages)}::json) as given(id text, hours double precision)
    where aged.id::text = given.id`);
}
