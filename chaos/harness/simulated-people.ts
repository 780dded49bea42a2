import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createRandomGenerator, type RandomGenerator } from '#testing/random.ts';
import type { TestClient, TestFormParts, TestResponse } from '#testing/client.ts';
import { connectToCommunity } from '#testing/community.ts';
import { createTone } from '#testing/tone.ts';
import { toLedgerValue, hashBytes } from './stored-data.ts';
import type { Ledger } from './ledger.ts';

/** A user at work. Each attempt makes a few requests at most; the next attempt retries what failed. */
type Worker = { attempt(): Promise<void> };

/**
 * A safeguard whose absence the client simulates. Without 'idempotency', each retry has a new id. Without
 * 'durable-order', a recording counts as confirmed before the server has stored it.
 */
export type SenderSafeguard = 'idempotency' | 'durable-order';

/** Time after which a hanging request is aborted, as a browser does. */
const TIMEOUT_MS = 15_000;

/** Pause between two attempts. */
const PAUSE_MS = 20;

/** Chunk size, so small that even a short recording takes several chunks. */
const CHUNK_BYTES = 24_000;

/**
 * Creates students who send recordings, and a teacher who concurrently sends and corrects replies, saves
 * drafts and edits melodies.
 */
export async function createSimulatedPeople(options: {
  url: string;
  students: number;
  seed: string;
  ledger: Ledger;
  without?: SenderSafeguard | undefined;
}) {
  const { url, seed, ledger, without } = options;
  const { teacher, levelId, newStudent, as } = await connectToCommunity(url);
  const students = await Promise.all(
    Array.from({ length: options.students }, async () => as(await newStudent())),
  );
  const random = createRandomGenerator(`${seed} people`);
  const people: Worker[] = [
    ...students.map((client) => createSender(client, ledger, random, without)),
    createReplier(teacher, ledger, random),
    createDrafter(teacher, ledger),
    createMelodyKeeper(teacher, levelId, ledger, random),
  ];
  return {
    students,
    /**
     * Starts the simulated people.
     * @returns a function that stops them and resolves when the last request has ended
     */
    start(): () => Promise<void> {
      let isOver = false;
      const working = people.map(async (person) => {
        while (!isOver) {
          await person.attempt().catch(ignoreFailedCall);
          await wait(PAUSE_MS);
        }
      });
      return async () => {
        isOver = true;
        await Promise.all(working);
      };
    },
  };
}

/** Error for a request that the server rejected and therefore did not confirm. */
class RequestRejectedError extends Error {}

/**
 * Ignores failed calls and rethrows all other errors. `fetch` throws a TypeError if the connection breaks or
 * no server listens.
 */
function ignoreFailedCall(error: unknown) {
  if (error instanceof RequestRejectedError || error instanceof TypeError) return;
  if (error instanceof Error && error.name === 'TimeoutError') return;
  throw error;
}

async function assertDone(answer: Promise<TestResponse>): Promise<TestResponse> {
  const reply = await answer;
  if (reply.status === 400) throw new Error(`A request is wrong: ${JSON.stringify(reply.body)}`);
  if (reply.status !== 200 && reply.status !== 201) throw new RequestRejectedError(`${reply.status}`);
  return reply;
}

const withTimeout = () => ({ signal: AbortSignal.timeout(TIMEOUT_MS) });

const toWavPart = (bytes: Buffer) => ({ bytes, name: 'take.wav', type: 'audio/wav' });

/** Returns audio of 0.3 to 1.5 s with a random pitch, so that every call returns different audio. */
const createSong = (random: RandomGenerator) =>
  createTone(random.between(0.3, 1.5), random.between(100, 800), 32_000);

/** Creates a worker that sends one recording after another, in one request or in chunks. */
function createSender(
  client: TestClient,
  ledger: Ledger,
  random: RandomGenerator,
  without: SenderSafeguard | undefined,
): Worker {
  const newTake = () => ({
    clientId: randomUUID() as string,
    title: `Song ${randomUUID()}`,
    bytes: createSong(random),
    inChunks: random.next() < 0.6,
  });
  let take = newTake();

  async function upload() {
    const { clientId, bytes } = take;
    const path = `/api/uploads/${clientId}`;
    const key = `upload ${clientId}`;
    const upTo = (end: number) => (end === 0 ? 'begun' : hashBytes(bytes.subarray(0, end)));
    const begin = async () => {
      const { body } = await assertDone(client.put(path, { size: bytes.length }, withTimeout()));
      return (body as { received: number }).received;
    };
    ledger.recordRequest(key, upTo(0));
    let received = await begin();
    ledger.recordConfirmation(key, upTo(received));
    while (received < bytes.length) {
      const end = Math.min(bytes.length, received + CHUNK_BYTES);
      ledger.recordRequest(key, upTo(end));
      await assertDone(
        client.patch(`${path}?start=${received}`, bytes.subarray(received, end), withTimeout()),
      );
      received = end;
      ledger.recordConfirmation(key, upTo(received));
    }
    // From now on, the upload may be missing, because the next request can turn it into a recording.
    ledger.recordRequest(key, null);
  }

  return {
    async attempt() {
      const { clientId, title, bytes, inChunks } = take;
      const key = `recording ${title}`;
      if (inChunks) await upload();
      ledger.recordRequest(key, hashBytes(bytes));
      if (without === 'durable-order') ledger.recordConfirmation(key, hashBytes(bytes));
      const parts: TestFormParts = {
        title,
        clientId: without === 'idempotency' ? randomUUID() : clientId,
        ...(inChunks ? { uploadId: clientId } : { audio: toWavPart(bytes) }),
      };
      await assertDone(client.form('/api/recordings', parts, withTimeout()));
      ledger.recordConfirmation(key, hashBytes(bytes));
      ledger.recordConfirmation(`upload ${clientId}`, null);
      take = newTake();
    },
  };
}

type Waiting = { id: number; title: string };

/**
 * Finds a pending recording. Replies are for recordings with even ids and drafts for odd ids, because a reply
 * deletes the recording's draft.
 * @param remainder remainder of the recording's id divided by 2
 */
async function findPending(teacher: TestClient, remainder: 0 | 1): Promise<Waiting | null> {
  const { body } = await assertDone(teacher.get('/api/recordings/pending', withTimeout()));
  return (body as Waiting[]).find(({ id }) => id % 2 === remainder) ?? null;
}

type Answer = {
  to: Waiting;
  clientId: string;
  /** Id of the reply; null until the server has confirmed it. */
  id: number | null;
  written: string;
  /** The audio that the student hears. A correction without new audio keeps the previous audio. */
  sound: Buffer | null;
  newSound: Buffer | null;
};

const CORRECTIONS = 3;

/**
 * Creates a worker that replies to recordings, in writing and often by voice, and corrects each reply a few
 * times.
 */
function createReplier(teacher: TestClient, ledger: Ledger, random: RandomGenerator): Worker {
  let answer: Answer | null = null;
  let corrections = 0;

  async function newAnswer(): Promise<Answer | null> {
    const to = await findPending(teacher, 0);
    if (!to) return null;
    corrections = 0;
    const sound = random.next() < 0.6 ? createSong(random) : null;
    const written = `Well sung ${randomUUID()}`;
    return { to, clientId: randomUUID(), id: null, written, sound, newSound: sound };
  }

  function correctionOf(before: Answer, id: number): Answer {
    corrections += 1;
    const newSound = random.next() < 0.5 ? createSong(random) : null;
    return { ...before, id, written: `Softer ${randomUUID()}`, sound: newSound ?? before.sound, newSound };
  }

  return {
    async attempt() {
      answer ??= await newAnswer();
      if (!answer) return;
      const { to, clientId, id, written, sound, newSound } = answer;
      const key = `feedback ${to.title}`;
      ledger.recordRequest(key, toLedgerValue(written, sound));
      const parts: TestFormParts = {
        writtenFeedback: written,
        ...(newSound && { audioFeedback: toWavPart(newSound) }),
      };
      const sending =
        id === null
          ? teacher.form('/api/feedback', { recordingId: to.id, clientId, ...parts }, withTimeout())
          : teacher.form(`/api/feedback/${id}`, parts, { method: 'PUT', ...withTimeout() });
      const { body } = await assertDone(sending);
      ledger.recordConfirmation(key, toLedgerValue(written, sound));
      answer = corrections < CORRECTIONS ? correctionOf(answer, (body as { id: number }).id) : null;
    },
  };
}

/**
 * Creates a worker that edits the draft for a recording many times, and then the draft for another recording.
 */
function createDrafter(teacher: TestClient, ledger: Ledger): Worker {
  let on: Waiting | null = null;
  let words = 0;
  return {
    async attempt() {
      on ??= await findPending(teacher, 1);
      if (!on) return;
      const key = `draft ${on.title}`;
      const text = `Listen to the breath ${randomUUID()}`;
      ledger.recordRequest(key, text);
      await assertDone(
        teacher.put(`/api/admin/recordings/${on.id}/draft`, { text, marks: [] }, withTimeout()),
      );
      ledger.recordConfirmation(key, text);
      words += 1;
      if (words % 20 === 0) on = null;
    },
  };
}

/**
 * Creates a worker that adds a melody with audio, replaces its text and audio a few times, and continues with
 * the next melody.
 */
function createMelodyKeeper(
  teacher: TestClient,
  levelId: number,
  ledger: Ledger,
  random: RandomGenerator,
): Worker {
  let melody: { id: number; title: string } | null = null;
  let changes = 0;
  return {
    async attempt() {
      const title = melody?.title ?? `Melody ${randomUUID()}`;
      const key = `melody ${title}`;
      const melodyText = `Namo ${randomUUID()}`;
      const sound = createSong(random);
      const parts: TestFormParts = {
        title,
        melodyText,
        transmissionLevelId: levelId,
        audioFile: toWavPart(sound),
      };
      ledger.recordRequest(key, toLedgerValue(melodyText, sound));
      if (!melody) {
        const { body } = await assertDone(teacher.form('/api/melodies', parts, withTimeout()));
        melody = { id: (body as { id: number }).id, title };
        changes = 0;
      } else {
        await assertDone(
          teacher.form(`/api/melodies/${melody.id}`, parts, { method: 'PUT', ...withTimeout() }),
        );
        changes += 1;
      }
      ledger.recordConfirmation(key, toLedgerValue(melodyText, sound));
      if (changes >= 4) melody = null;
    },
  };
}
