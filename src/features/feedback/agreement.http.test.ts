import { expect, test } from 'vitest';
import { createRandomGenerator, type RandomGenerator } from '#testing/random.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestClient } from '#testing/client.ts';
import { createTone } from '#testing/tone.ts';

// Runs random sequences of actions. After each action, the counts, lists and statuses that each person sees
// must agree.

const app = await startTestApp();
const SONG = createTone(1);
const STEPS = 20;

type Student = { id: string; client: TestClient; isActive: boolean };
/** Expected state of a recording. */
type Sung = {
  student: Student;
  melodyId: number | null;
  answer: null | { id: number; status: 'unread' | 'read' | 'integrated'; isCorrected: boolean };
};
type Listed = { id: number; status: string; melodyId: number | null; attempt: number | null };

/**
 * Creates a community of one teacher and three students. Returns functions that run a random action, compare
 * what each person sees with the expected state, and delete the students.
 */
async function aCommunity(random: RandomGenerator) {
  const admin = await app.make.teacher();
  const teacher = await app.as(admin);
  const students: Student[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { id } = await app.make.student({ levels: ['Open to All'] });
    students.push({ id, client: await app.as({ id }), isActive: true });
  }
  const melodies = [(await app.make.melody({ audio: null })).id, (await app.make.melody({ audio: null })).id];
  const sung = new Map<number, Sung>();

  const one = <T>(choices: readonly T[]): T | undefined =>
    choices[Math.floor(random.next() * choices.length)];
  const anyOf = (which: (each: Sung) => boolean) => one([...sung].filter(([, each]) => which(each)));
  const active = (each: Sung) => each.student.isActive;

  const answerOf = (id: number) =>
    teacher.form('/api/feedback', { recordingId: id, writtenFeedback: `To ${id}` });
  const answered = (each: Sung, id: number) => (each.answer = { id, status: 'unread', isCorrected: false });

  const steps: Record<string, () => Promise<void>> = {
    async submit() {
      const student = one(students.filter(({ isActive }) => isActive));
      if (!student) return;
      const melodyId = one([null, ...melodies]) ?? null;
      const { status, body } = await student.client.form('/api/recordings', {
        title: 'A song',
        ...(melodyId !== null && { melodyId }),
        audio: { bytes: SONG, name: 'song.wav' },
      });
      expect(status).toBe(201);
      sung.set(body.id as number, { student, melodyId, answer: null });
    },
    async withdraw() {
      const [id, each] = anyOf(active) ?? [];
      if (id === undefined || !each) return;
      const { status } = await each.student.client.delete(`/api/recordings/${id}`);
      expect(status).toBe(each.answer ? 409 : 200);
      if (!each.answer) sung.delete(id);
    },
    async answer() {
      const [id, each] = anyOf(() => true) ?? [];
      if (id === undefined || !each) return;
      const { status, body } = await answerOf(id);
      expect(status).toBe(each.answer ? 409 : 201);
      if (!each.answer) answered(each, body.id as number);
    },
    async 'answer and withdraw at once'() {
      const [id, each] = anyOf((it) => active(it) && it.answer === null) ?? [];
      if (id === undefined || !each) return;
      const [answer, withdrawal] = await Promise.all([
        answerOf(id),
        each.student.client.delete(`/api/recordings/${id}`),
      ]);
      expect([answer.status === 201, withdrawal.status === 200].sort()).toEqual([false, true]);
      if (answer.status === 201) answered(each, answer.body.id as number);
      else sung.delete(id);
    },
    async correct() {
      const [, each] = anyOf(({ answer }) => answer !== null) ?? [];
      if (!each?.answer) return;
      const words = `Better ${random.next()}`;
      const { status } = await teacher.form(
        `/api/feedback/${each.answer.id}`,
        { writtenFeedback: words },
        { method: 'PUT' },
      );
      expect(status).toBe(200);
      each.answer.isCorrected = true;
    },
    read: () => move('read'),
    integrate: () => move('integrated'),
    async 'delete a melody'() {
      const melodyId = melodies.pop();
      if (melodyId === undefined) return;
      expect((await teacher.delete(`/api/melodies/${melodyId}`)).status).toBe(200);
      for (const each of sung.values()) if (each.melodyId === melodyId) each.melodyId = null;
    },
    async 'disable or enable'() {
      const student = one(students);
      if (!student) return;
      const isActive = !student.isActive;
      const { status } = await teacher.put(`/api/admin/users/${student.id}/status`, { isActive });
      expect(status).toBe(200);
      student.isActive = isActive;
      if (isActive) student.client = await app.as(student);
    },
    async 'delete a student'() {
      if (random.next() < 0.7) return;
      const student = one(students);
      if (!student) return;
      expect((await teacher.delete(`/api/admin/users/${student.id}`)).status).toBe(200);
      students.splice(students.indexOf(student), 1);
      for (const [id, each] of sung) if (each.student === student) sung.delete(id);
    },
  };

  const ORDER = ['unread', 'read', 'integrated'] as const;
  async function move(status: 'read' | 'integrated') {
    const [, each] = anyOf((it) => active(it) && it.answer !== null) ?? [];
    if (!each?.answer) return;
    const isBackwards = ORDER.indexOf(status) < ORDER.indexOf(each.answer.status);
    const path = `/api/feedback/${each.answer.id}/status`;
    expect((await each.student.client.patch(path, { status })).status).toBe(isBackwards ? 400 : 200);
    if (!isBackwards) each.answer.status = status;
  }

  async function mustAgree() {
    const idsOf = (which: (each: Sung) => boolean) =>
      [...sung].flatMap(([id, each]) => (which(each) ? [id] : []));
    const get = async <T>(client: TestClient, path: string) => (await client.get(path)).body as T;

    const pending = await get<Listed[]>(teacher, '/api/recordings/pending');
    expect(await get(teacher, '/api/admin/pending-recordings')).toEqual(pending);
    expect(pending.map(({ id }) => id)).toEqual(idsOf(({ answer }) => answer === null));
    const given = await get<{ id: number; recordingId: number; status: string; correctedAt: unknown }[]>(
      teacher,
      '/api/admin/feedback',
    );
    const asGiven = [...sung].flatMap(([recordingId, { answer }]) =>
      answer ? [{ recordingId, ...answer }] : [],
    );
    expect(
      given.map(({ id, recordingId, status, correctedAt }) => ({
        recordingId,
        id,
        status,
        isCorrected: correctedAt !== null,
      })),
    ).toEqual(asGiven.sort((a, b) => b.id - a.id));
    const users = await get<{ id: string; recordingCount: number; feedbackCount: number }[]>(
      teacher,
      '/api/admin/users',
    );

    for (const student of students) {
      const own = [...sung].filter(([, each]) => each.student === student);
      const answers = own.flatMap(([, { answer }]) => (answer ? [answer] : []));
      expect(users.find(({ id }) => id === student.id)).toMatchObject({
        recordingCount: own.length,
        feedbackCount: answers.length,
      });
      if (!student.isActive) {
        for (const path of ['/api/student/recordings', '/api/feedback', '/api/feedback/unread-count'])
          expect((await student.client.get(path)).status).toBe(401);
        continue;
      }
      const listed = await get<Listed[]>(student.client, '/api/student/recordings');
      expect(listed.map(({ id, status, melodyId }) => [id, status, melodyId])).toEqual(
        own.map(([id, { answer, melodyId }]) => [id, answer ? 'reviewed' : 'pending', melodyId]).reverse(),
      );
      for (const melodyId of new Set(listed.map((each) => each.melodyId))) {
        const attempts = listed.filter((each) => each.melodyId === melodyId).map(({ attempt }) => attempt);
        expect(attempts.reverse()).toEqual(attempts.map((_, at) => (melodyId === null ? null : at + 1)));
      }
      const feedback = await get<{ id: number; status: string }[]>(student.client, '/api/feedback');
      expect(feedback.map(({ id, status }) => [id, status])).toEqual(
        answers.map(({ id, status }) => [id, status] as const).sort(([a], [b]) => b - a),
      );
      expect(await get(student.client, '/api/feedback/unread-count')).toEqual({
        count: feedback.filter(({ status }) => status === 'unread').length,
      });
    }
  }

  /**
   * Names of the actions to draw from. Submitting and answering are listed several times, so that they are
   * drawn most often.
   */
  const names = ['submit', 'submit', 'submit', 'answer', 'answer', ...Object.keys(steps)];
  const takeStep = () => steps[one(names)!]!();
  const leave = async () => {
    for (const { id } of students) await teacher.delete(`/api/admin/users/${id}`);
  };
  return { takeStep, mustAgree, leave };
}

test.each(['first light', 'juniper', 'snow lion', 'conch'])(
  'counts, lists and statuses stay consistent during random actions (seed “%s”)',
  async (seed) => {
    const { takeStep, mustAgree, leave } = await aCommunity(createRandomGenerator(`agreement ${seed}`));
    await mustAgree();
    for (let step = 0; step < STEPS; step += 1) {
      await takeStep();
      await mustAgree();
    }
    // Deletes the students with their recordings, so that the next seed starts with an empty inbox.
    await leave();
  },
  120_000,
);
