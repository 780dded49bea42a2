import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import type { TestClient, TestResponse } from '#testing/client.ts';
import { createRandomGenerator, type RandomGenerator } from '#testing/random.ts';
import { createTone } from '#testing/tone.ts';

// Random actions of two students and two teachers, all at the same time and through two servers. Afterwards,
// the responses must agree with the rules: a recording is stored once and has at most one reply, a status never
// goes back, and nobody hears a melody after its level was revoked. `npm run chaos -- histories` checks
// thousands of such histories. HISTORY=7 repeats the one with this number.

const COUNT = Number(process.env['HISTORIES'] ?? 15);
const ACTIONS_PER_DEVICE = 6;

const app = await startTestApp();
const elsewhere = await startTestApp({ beside: app });
const level = await app.make.level('Refuge');
const melody = await app.make.melody({ level: level.name });
const teachers = [await app.make.teacher(), await app.make.teacher()];
const song = { bytes: createTone(1), name: 'song.wav' };
const RANKS = ['unread', 'read', 'integrated'];

/** A response, with the positions of the request and the response among all events of the history. */
type Call = TestResponse & { began: number; ended: number };

const numbers = process.env['HISTORY']
  ? [Number(process.env['HISTORY'])]
  : Array.from({ length: COUNT }).keys();

test.each([...numbers])('history %i keeps the rules', async (number) => {
  const history = createHistory();
  const students = await Promise.all([createStudent(), createStudent()]);
  // Each student uses two devices.
  const people = [...students, ...students, ...teachers];
  await Promise.all(
    people.map(async (person, position) => {
      const random = createRandomGenerator(`history ${number}, ${position}`);
      const user = 'user' in person ? person.user : person;
      const client = await app.as(user, random.pick([app.url, elsewhere.url]));
      const actions =
        'user' in person
          ? createStudentActions(history, person, students, client, random)
          : createTeacherActions(history, students, client, random);
      for (let i = 0; i < ACTIONS_PER_DEVICE; i += 1) await random.pick(actions)();
    }),
  );
  app.clock.advance(60_000);
  await app.services.feedback.held.releaseDue();
  for (const student of students) {
    await checkRecordings(student);
    checkStatuses(student);
    checkAccess(student);
  }
});

function createHistory() {
  let events = 0;
  return async (request: Promise<TestResponse>): Promise<Call> => {
    const began = (events += 1);
    const response = await request;
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(500);
    return { ...response, began, ended: (events += 1) };
  };
}
type Send = ReturnType<typeof createHistory>;

/** Creates a student with one recording, which has feedback. */
async function createStudent() {
  const user = await app.make.student();
  const client = await app.as(user);
  /** Idempotency keys of the student's recordings, which are also their titles. */
  const keys: [string, string] = [randomUUID(), randomUUID()];
  const [clientId] = keys;
  const { body: first } = await client.form('/api/recordings', { title: clientId, clientId, audio: song });
  const teacher = await app.as(teachers[0]!);
  await teacher.form('/api/feedback', { recordingId: first.id, writtenFeedback: 'Lower.' });
  return {
    user,
    keys,
    submissions: [first as Recording],
    takenBack: new Set<number>(),
    answered: new Set([(first as Recording).id]),
    observed: [] as (Call & { id: number; rank: number })[],
    rights: [] as (Call & { isGranted: boolean })[],
    heard: [] as Call[],
  };
}
type Recording = { id: number; title: string; audioUrl: string };
type Student = Awaited<ReturnType<typeof createStudent>>;
type Actions = [() => Promise<unknown>, ...(() => Promise<unknown>)[]];

function createStudentActions(
  send: Send,
  student: Student,
  students: Student[],
  client: TestClient,
  random: RandomGenerator,
): Actions {
  async function readFeedback() {
    const call = await send(client.get('/api/feedback'));
    const feedback = call.body as { id: number; status: string }[];
    for (const { id, status } of feedback)
      student.observed.push({ ...call, id, rank: RANKS.indexOf(status) });
    return feedback;
  }
  return [
    async () => {
      const clientId = random.pick(student.keys);
      const call = await send(client.form('/api/recordings', { title: clientId, clientId, audio: song }));
      if (call.status < 300) student.submissions.push(call.body as Recording);
    },
    async () => {
      const id = pickRecording(student, random);
      const { status } = await send(client.delete(`/api/recordings/${id}`));
      if (status === 200) student.takenBack.add(id);
    },
    readFeedback,
    async () => {
      for (const { id } of await readFeedback()) {
        const status = random.pick(['read', 'integrated']);
        const call = await send(client.patch(`/api/feedback/${id}/status`, { status }));
        if (call.status === 200)
          student.observed.push({ ...call, id, rank: RANKS.indexOf(call.body.status as string) });
      }
    },
    async () => void student.heard.push(await send(client.get(`/api/files/${melody.audioUrl}?type=audio`))),
    async () => {
      const [other] = students.filter((each) => each !== student);
      const { audioUrl } = random.pick(other!.submissions as [Recording]);
      expect((await send(client.get(`/api/files/${audioUrl}?type=audio`))).status).toBe(404);
    },
  ];
}

function createTeacherActions(
  send: Send,
  students: Student[],
  client: TestClient,
  random: RandomGenerator,
): Actions {
  const pick = () => random.pick(students as [Student, Student]);
  const keys = new Map<number, string>();
  async function reply(more: { holdSeconds?: number }) {
    const student = pick();
    const recordingId = pickRecording(student, random);
    const clientId = keys.get(recordingId) ?? randomUUID();
    keys.set(recordingId, clientId);
    const body = { recordingId, clientId, writtenFeedback: 'Slower.', ...more };
    const { status } = await send(client.form('/api/feedback', body));
    if (status === 201) student.answered.add(recordingId);
  }
  return [
    () => reply({}),
    () => reply({ holdSeconds: 10 }),
    () => send(client.delete(`/api/admin/feedback/held/${pickRecording(pick(), random)}`)),
    ...[true, false].map((isGranted) => async () => {
      const student = pick();
      const path = `/api/admin/users/${student.user.id}/transmission-access`;
      const call = await send(
        isGranted
          ? client.post(path, { transmissionLevelId: level.id })
          : client.delete(`${path}/${level.id}`),
      );
      student.rights.push({ ...call, isGranted });
    }),
  ];
}

const pickRecording = ({ submissions }: Student, random: RandomGenerator) =>
  random.pick(submissions as [Recording]).id;

async function checkRecordings({ user, submissions, takenBack, answered }: Student) {
  const client = await app.as(user);
  const stored = (await client.get('/api/student/recordings')).body as { id: number; title: string }[];
  const confirmed = new Map(submissions.map(({ id, title }) => [id, title]));
  const expected = [...confirmed].filter(([id]) => !takenBack.has(id));
  const byId = (a: [number, string], b: [number, string]) => a[0] - b[0];
  expect(stored.map(({ id, title }): [number, string] => [id, title]).sort(byId)).toEqual(
    expected.sort(byId),
  );
  expect(new Set(confirmed.values()).size, 'one recording per key').toBe(confirmed.size);

  const feedback = (await client.get('/api/feedback')).body as { recordingId: number }[];
  const replied = feedback.map(({ recordingId }) => recordingId);
  expect(new Set(replied).size, 'one reply per recording').toBe(replied.length);
  for (const id of answered) expect(replied).toContain(id);
}

/** Checks that no request that began after a response shows an earlier status than that response. */
function checkStatuses({ observed }: Student) {
  for (const earlier of observed) {
    const later = observed.filter(({ id, began }) => id === earlier.id && began > earlier.ended);
    for (const { rank } of later) expect(rank).toBeGreaterThanOrEqual(earlier.rank);
  }
}

/** Checks access for requests that no change of the rights overlaps. */
function checkAccess({ rights, heard }: Student) {
  for (const { began, ended, status } of heard) {
    if (rights.some((change) => change.began < ended && change.ended > began)) continue;
    const before = rights.filter((change) => change.ended < began);
    // Any of the changes after which no other began may have been the last.
    const last = before.filter((change) => !before.some((other) => other.began > change.ended));
    const possible = last.length === 0 ? [404] : last.map(({ isGranted }) => (isGranted ? 200 : 404));
    expect(possible).toContain(status);
  }
}
