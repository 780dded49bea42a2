import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { TestClient, type TestResponse } from '#testing/client.ts';
import { createTestCleanup } from '#testing/test-cleanup.ts';
import { getS3TestEnvironment } from '#testing/s3.ts';
import { startReplicatedProgram, type ReplicatedProgram } from '#testing/replicated-program.ts';
import { createTone } from '#testing/tone.ts';
import { waitFor } from '#testing/wait-for.ts';

// Tests two real processes behind nginx, while one of them or their database fails.

/** Documented limits, in milliseconds. */
const ANSWER_MS = 10_000;
const RECOVERY_MS = 5_000;

const TEACHER = { username: 'khandro', password: 'teacher-pass' };
const { cleanUp } = createTestCleanup();

async function startTwoProcesses() {
  const program = await startReplicatedProgram({
    ...getS3TestEnvironment(`processes-${randomUUID()}`),
    ADMIN_PASSWORD: TEACHER.password,
  });
  cleanUp.push(program.end);
  const teacher = new TestClient(program.url);
  await teacher.post('/api/login', TEACHER);
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const song = createTone(3);
  const { body: melody } = await teacher.form('/api/melodies', {
    title: 'Kyab',
    transmissionLevelId: level!.id,
    audioFile: { bytes: song, name: 'kyab.wav' },
  });
  const { body } = await teacher.post('/api/admin/create-user-with-credentials', {
    email: `student.${randomUUID()}@example.org`,
    ...{ firstName: 'Tashi', lastName: 'Dolma', transmissionLevels: [level!.id] },
  });
  const student = new TestClient(program.url);
  await student.post('/api/login', { username: body.user.username, password: body.password });
  return { program, teacher, student, song, audio: `/api/files/${melody.audioUrl}?type=audio` };
}

/** Sends the read requests continuously. `stop()` returns the unexpected responses. */
function reading(reads: (() => Promise<TestResponse>)[], isRight: (reply: TestResponse) => boolean) {
  const wrong: string[] = [];
  const counts = reads.map(() => 0);
  let isOver = false;
  const all = reads.map(async (read, index) => {
    while (!isOver) {
      const reply = await read().catch((error: unknown) => String(error));
      counts[index]! += 1;
      if (typeof reply === 'string') wrong.push(reply);
      else if (!isRight(reply)) wrong.push(`${reply.status} ${reply.bytes.subarray(0, 200).toString()}`);
    }
  });
  return {
    /** Resolves when each read request has been sent and answered at least once after this call. */
    async round() {
      const before = [...counts];
      await waitFor(() => expect(counts.every((count, index) => count >= before[index]! + 2)).toBe(true));
    },
    async stop() {
      isOver = true;
      await Promise.all(all);
      return wrong;
    },
  };
}

/**
 * Submits a recording like the browser: repeats unanswered requests, and resumes from what the server has
 * received.
 */
async function submit(client: TestClient, bytes: Buffer) {
  const uploadId = randomUUID();
  const untilAnswered = (make: () => Promise<TestResponse>, accepted: number[]) =>
    waitFor(async () => {
      const reply = await make();
      expect(accepted).toContain(reply.status);
      return reply;
    });
  for (;;) {
    const begun = await untilAnswered(
      () => client.put(`/api/uploads/${uploadId}`, { size: bytes.length }),
      [200],
    );
    const { received } = begun.body as { received: number };
    if (received === bytes.length) break;
    await client
      .patch(`/api/uploads/${uploadId}?start=${received}`, bytes.subarray(received, received + 20_000))
      .catch(() => undefined);
  }
  const parts = { title: `Take ${uploadId}`, uploadId, clientId: uploadId };
  const { body } = await untilAnswered(() => client.form('/api/recordings', parts), [200, 201]);
  return body as { id: number; audioUrl: string };
}

test('no read fails when a process is killed, and each upload arrives exactly once', async () => {
  const { program, student, song, audio } = await startTwoProcesses();
  const range = { headers: { range: 'bytes=1000-40000' } };
  const reads = [
    () => student.get('/api/melodies', { headers: { 'if-none-match': 'W/"other"' } }),
    () => student.get('/api/student/recordings'),
    () => student.get(audio, range),
    () => student.get(audio),
  ];
  const load = reading(reads, ({ status, bytes }) =>
    status === 206 ? bytes.equals(song.subarray(1000, 40_001)) : status === 200,
  );
  const takes = Array.from({ length: 12 }, (_, index) => createTone(1 + index / 10, 200 + index * 20));
  const sent = [];
  for (const [index, take] of takes.entries()) {
    sent.push(submit(student, take));
    if (index % 4 !== 3) continue;
    const which = (index >> 2) % 2;
    await program.programs[which]!.end('SIGKILL');
    await Promise.all(sent);
    await program.restart(which);
    // Waits until nginx has retried the reads that failed at this process, before the other process is
    // killed.
    await load.round();
  }
  const recordings = await Promise.all(sent);
  expect(await load.stop()).toEqual([]);

  const { body } = await student.get('/api/student/recordings');
  expect((body as { id: number }[]).map(({ id }) => id).sort()).toEqual(
    recordings.map(({ id }) => id).sort(),
  );
  for (const [index, { audioUrl }] of recordings.entries())
    expect((await student.get(`/api/files/${audioUrl}?type=audio`)).bytes.equals(takes[index]!)).toBe(true);
});

test('while a process is frozen, the other process answers all reads', async () => {
  const { program, student, audio } = await startTwoProcesses();
  const [frozen] = program.programs;
  frozen!.child.kill('SIGSTOP');
  try {
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => student.get('/api/melodies')),
      ...Array.from({ length: 4 }, () => student.get(audio)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  } finally {
    frozen!.child.kill('SIGCONT');
  }
});

async function isClear(program: ReplicatedProgram, student: TestClient) {
  const began = performance.now();
  const replies = await Promise.all([
    ...Array.from({ length: 4 }, () => student.get('/api/melodies')),
    ...program.programs.map(({ url }) => new TestClient(url).get('/api/ready')),
    student.put(`/api/uploads/${randomUUID()}`, { size: 10 }),
    new TestClient(program.url).post('/api/login', TEACHER),
  ]);
  expect(performance.now() - began).toBeLessThan(ANSWER_MS);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 503));
}

async function isBackSoon(program: ReplicatedProgram, student: TestClient) {
  await waitFor(
    async () => {
      const replies = await Promise.all([
        ...program.programs.map(({ url }) => new TestClient(url).get('/api/ready')),
        ...Array.from({ length: 4 }, () => student.get('/api/student/recordings')),
      ]);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    },
    { timeout: RECOVERY_MS },
  );
}

test.each(['stops', 'is killed', 'stalls behind a dead network'])(
  'a database that %s causes errors within 10 s and recovers within 5 s',
  async (how) => {
    const { program, student } = await startTwoProcesses();
    const { database } = program;
    const take = createTone(1);
    const before = await submit(student, take);
    if (how === 'stops') await database.stop();
    else if (how === 'is killed') await database.kill();
    else database.stall();
    await isClear(program, student);

    // An upload that starts now waits for the database and then arrives.
    const sending = submit(student, createTone(2));
    if (how.startsWith('stalls')) database.resume();
    else await database.start();
    await isBackSoon(program, student);
    const after = await sending;
    const { body } = await student.get('/api/student/recordings');
    expect((body as { id: number }[]).map(({ id }) => id).sort()).toEqual([before.id, after.id].sort());
    expect((await student.get(`/api/files/${before.audioUrl}?type=audio`)).bytes.equals(take)).toBe(true);
    for (const { child } of program.programs) expect(child.exitCode).toBeNull();
  },
);

test('both processes announce changes and can finish each other’s uploads', async () => {
  const { program, student, teacher } = await startTwoProcesses();
  const [here, there] = program.programs.map(({ url }) => {
    const client = new TestClient(url);
    for (const [name, value] of student.cookies) client.cookies.set(name, value);
    return client;
  }) as [TestClient, TestClient];
  const take = createTone(2);
  const uploadId = randomUUID();
  await here.put(`/api/uploads/${uploadId}`, { size: take.length });
  await here.patch(`/api/uploads/${uploadId}?start=0`, take.subarray(0, 30_000));
  const { body: known } = await there.put(`/api/uploads/${uploadId}`, { size: take.length });
  expect(known).toMatchObject({ received: 30_000 });
  await there.patch(`/api/uploads/${uploadId}?start=30000`, take.subarray(30_000));
  const { body: recording } = await here.form('/api/recordings', {
    ...{ title: 'Kyab', uploadId, clientId: uploadId },
  });
  const stream = await there.stream('/api/events');
  await teacher.form('/api/feedback', { recordingId: recording.id, writtenFeedback: 'Well sung.' });
  await waitFor(() => expect(stream.events.length).toBeGreaterThan(0));
  await stream.close();

  expect((await there.post('/api/logout')).status).toBeLessThan(300);
  expect((await here.get('/api/student/recordings')).status).toBe(401);
});
