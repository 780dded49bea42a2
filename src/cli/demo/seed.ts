import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { users } from '#server/db/schema.ts';
import { sungLinesOf } from '#features/lyrics/parse.ts';
import { timingsOf } from '#features/lyrics/timings.ts';
import type { LineTiming } from '#features/melodies/contract.ts';
import { searchedUser } from '#features/people/users/server/store.ts';
import { hashPassword } from '#server/auth/passwords.ts';
import { createServices, type Parts, type Services } from '#app/server/server.ts';
import { DEMO_PASSWORD, GUEST, NEWCOMER, STUDENTS, TAKES, TEACHER, type Take } from './community.ts';
import { paint } from './pictures.ts';
import { sing, type Voice } from './sing.ts';
import { SONGS, textOf, type Song } from './songs.ts';
import { composeTune, lineStarts } from './tune.ts';

/** An advisory lock that no other program on the same server may use. */
const DEMO_LOCK = 4_118_206_397;

/** A documentation address (RFC 5737), so that the guests' requests count against nobody. */
const GUEST_ADDRESS = '203.0.113.7';

/**
 * Creates the demo community, once, through the services. It is one transaction: a program killed halfway leaves no
 * community at all, and the files that it had stored are swept at the next start, so whatever exists is complete.
 * @returns 'found' if it was created before; 'other' if there is another community, which is left alone
 */
export function seedDemo(parts: Parts): Promise<'made' | 'found' | 'other'> {
  return parts.database.db.transaction(async (tx) => {
    // Synthesizing voices within the transaction takes its time.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await lockDemo(tx);
    const services = createServices({ ...parts, database: { ...parts.database, db: tx } });
    for (const { username } of STUDENTS) if (await services.users.findForSignIn(username)) return 'found';
    const everyone = await services.users.list({});
    const teacher = everyone.rows.find((user) => user.role === 'admin');
    if (!teacher || everyone.total > 1 || (await services.melodies.list(teacher, 'card')).length > 0)
      return 'other';

    const { discard } = parts.staging;
    const { firstName, lastName } = TEACHER;
    const seed: Seed = {
      tx,
      services,
      stage: (bytes: Buffer) => stage(parts, bytes),
      discard,
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
 * Two programs on one database: the second waits, longer than the statement timeout, and finds what the first has
 * created.
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
  stage: (bytes: Buffer) => ReturnType<typeof stage>;
  discard: Parts['staging']['discard'];
  teacher: Awaited<ReturnType<Services['users']['list']>>['rows'][number];
};

async function stage({ staging }: Parts, bytes: Buffer) {
  await mkdir(staging.folder, { recursive: true, mode: 0o700 });
  const path = staging.newPath();
  await writeFile(path, bytes, { mode: 0o600 });
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function nameTeacher({ tx, teacher }: Seed) {
  const { firstName, lastName } = teacher;
  await tx
    .update(users)
    .set({ firstName, lastName, ...searchedUser(teacher) })
    .where(eq(users.id, teacher.id));
  await setBack(tx, 'users', 'created_at', [{ id: teacher.id, hours: 100 * 24 }]);
}

async function addStudents({ tx, services, teacher }: Seed) {
  await services.levels.initialise();
  const levels = await services.levels.list();
  const ids = new Map<string, string>();
  for (const { username, firstName, lastName, levels: count } of STUDENTS) {
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
  // The service generates a password that is shown once; here it must be known beforehand, as after a change.
  const password = await hashPassword(DEMO_PASSWORD);
  await tx
    .update(users)
    .set({ password, suggestOwnPassword: false })
    .where(inArray(users.id, [...ids.values()]));
  // A community that has been going on for a while has taken its first steps.
  await tx.update(users).set({ dismissedFirstSteps: true }).where(eq(users.role, 'admin'));
  const joined = STUDENTS.map(({ username, joinedDaysAgo }) => ({
    id: ids.get(username)!,
    hours: joinedDaysAgo * 24,
  }));
  await setBack(tx, 'users', 'created_at', joined);
  // So far the audit log has one entry for each of them, in order.
  const entries = (await services.audit.list()).rows.reverse();
  await setBack(
    tx,
    'audit_log',
    'at',
    joined.map(({ hours }, index) => ({ id: entries[index]!.id, hours })),
  );
  return ids;
}

async function addMelodies({ tx, services, stage, discard, teacher }: Seed) {
  const levels = new Map((await services.levels.list()).map((level) => [level.name, level.id]));
  const ids = new Map<string, number>();
  for (const song of SONGS) {
    const { seconds, picture } = song;
    const thumbnail = picture && (await stage(await paint(picture)));
    const { melody: made } = await services.melodies.add(
      {
        title: song.title,
        transmissionLevelId: levels.get(song.level)!,
        description: song.description,
        vimeoUrl: song.film,
        melodyText: textOf(song),
      },
      {
        audioFile: seconds ? await stage(sing(melodyOf(song, seconds), teachersVoice(song))) : undefined,
        thumbnail,
      },
      teacher,
    );
    // The service stores a picture derived from this one; the upload itself is for its sender to delete.
    if (thumbnail) await discard(thumbnail);
    if (seconds) {
      const timings = timingsIn(song, seconds);
      await services.melodies.change(
        made.id,
        { timings },
        {},
        { audioFile: false, thumbnail: false },
        teacher,
      );
    }
    ids.set(song.title, made.id);
  }
  const added = SONGS.map(({ title, addedDaysAgo }) => ({ id: ids.get(title)!, hours: addedDaysAgo * 24 }));
  await setBack(tx, 'melodies', 'created_at', added);
  return ids;
}

async function addTakes(seed: Seed, students: Map<string, string>, melodies: Map<string, number>) {
  const { tx, services, stage } = seed;
  const recorded: Age[] = [];
  const answered: Age[] = [];
  for (const take of TAKES) {
    const { phrases, hoursAgo, reply } = take;
    const student = { id: students.get(take.student)!, role: 'student' } as const;
    const { recording } = await services.recordings.submit(
      { title: take.title ?? take.song, message: take.message, melodyId: melodies.get(take.song) },
      await stage(singFrom(take.song, phrases, studentsVoice(take))),
      student,
    );
    recorded.push({ id: recording.id, hours: hoursAgo });
    if (!reply) continue;
    const spoken =
      reply.spokenPhrases && singFrom(take.song, reply.spokenPhrases, { name: `reply to ${take.student}` });
    const { feedback } = await services.feedback.send(
      { recordingId: recording.id, writtenFeedback: reply.written, marks: reply.marks },
      spoken ? await stage(spoken) : undefined,
      seed.teacher,
    );
    await services.feedback.setStatus(feedback.id, reply.status, student);
    answered.push({ id: feedback.id, hours: reply.hoursAgo });
  }
  await setBack(tx, 'recordings', 'created_at', recorded);
  await setBack(tx, 'feedback', 'created_at', answered);
}

/** One approved, whose mail is queued, and one still pending. */
async function addGuests({ tx, services, teacher }: Seed) {
  await services.registrations.request(NEWCOMER, GUEST_ADDRESS);
  await services.registrations.request(GUEST, GUEST_ADDRESS);
  const requests = (await services.registrations.list()).rows;
  const requestOf = (email: string) => requests.find((request) => request.email === email)!.id;
  const newcomer = requestOf(NEWCOMER.email);
  const [open] = await services.levels.list();
  const { id } = await services.registrations.approve(newcomer, open ? [open.id] : [], teacher);
  const [entry] = (await services.audit.list()).rows;

  const approved = NEWCOMER.approvedHoursAgo;
  await setBack(tx, 'users', 'created_at', [{ id, hours: approved }]);
  await setBack(tx, 'audit_log', 'at', [{ id: entry!.id, hours: approved }]);
  await setBack(tx, 'registration_requests', 'processed_at', [{ id: newcomer, hours: approved }]);
  await setBack(tx, 'registration_requests', 'requested_at', [
    { id: newcomer, hours: NEWCOMER.askedHoursAgo },
    { id: requestOf(GUEST.email), hours: GUEST.hoursAgo },
  ]);
}

const teachersVoice = (song: Song): Voice => ({ name: 'teacher', drone: song.drone ?? false });

function studentsVoice({ student, song }: Take): Voice {
  const { transpose, wobble } = STUDENTS.find(({ username }) => username === student)!;
  return { name: `${student} sings ${song}`, transpose, wobble };
}

function singFrom(title: string, phrases: number, voice: Voice): Buffer {
  const song = SONGS.find((one) => one.title === title);
  return sing(song ? melodyOf(song, song.seconds ?? 20) : { title, seconds: 20 }, voice, phrases);
}

const melodyOf = ({ title, verses }: Song, seconds: number) => ({
  title,
  seconds,
  lines: verses.flat().length,
});

/** As the teacher would have tapped them. */
function timingsIn(song: Song, seconds: number): LineTiming[] {
  const lines = sungLinesOf(textOf(song));
  const tune = composeTune(song.title, seconds, lines.length);
  const starts = lineStarts(tune, lines.length);
  return timingsOf(
    lines,
    lines.map(({ index }) => ({ index, start: Number(starts[index]!.toFixed(2)) })),
  );
}

type Age = { id: number | string; hours: number };

/**
 * Backdates rows with plain statements: the services rightly know only the present, and lists where everything happened
 * at the same moment would show nothing.
 */
async function setBack(tx: Db, table: string, column: string, ages: Age[]) {
  await tx.execute(sql`
    update ${sql.identifier(table)} as aged
    set ${sql.identifier(column)} = now() - given.hours * interval '1 hour'
    from json_to_recordset(${JSON.stringify(ages)}::json) as given(id text, hours double precision)
    where aged.id::text = given.id`);
}
