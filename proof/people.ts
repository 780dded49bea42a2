import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../src/demo/random.ts';
import type { Client, FormParts, Reply } from '../src/testing/client.ts';
import { tone } from '../src/testing/tone.ts';
import { digestOf, sha256Of } from './kept-data.ts';
import type { Ledger } from './ledger.ts';

/** Someone at work. Each attempt is one request or a few; failures are retried by the next one. */
type Person = { attempt(): Promise<void> };

/** A request that hangs is aborted, as a browser would. */
const PATIENCE_MS = 15_000;

/** After a failure, and between two pieces of work. */
const PAUSE_MS = 20;

/** Students who send, and a teacher who answers, corrects, drafts and stores melodies, all concurrently. */
export function peopleAtWork(options: {
  students: Client[];
  teacher: Client;
  levelId: number;
  ledger: Ledger;
  random: Random;
  /** If several teachers work on the same recordings, which part of them is this one's. */
  share?: { part: number; of: number };
}) {
  const { students, teacher, levelId, ledger, random, share = { part: 0, of: 1 } } = options;
  // Those with an even id are answered; the others are left for drafts, which an answer would delete.
  const isAssigned = (offset: 0 | 1) => (id: number) => id % (2 * share.of) === 2 * share.part + offset;
  const people: Person[] = [
    ...students.map((client) => sender(client, ledger, random)),
    replier(teacher, isAssigned(0), ledger, random),
    drafter(teacher, isAssigned(1), ledger),
    melodyKeeper(teacher, levelId, ledger, random),
  ];
  return {
    /** @returns stops it, and resolves when the last request has ended too */
    start(): () => Promise<void> {
      let isOver = false;
      const working = people.map(async (person) => {
        while (!isOver) {
          await person.attempt().catch(ignoreNoAnswer);
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

/** The server refused, or did not do it; nothing is promised. */
class NotDone extends Error {}

/** `fetch` throws this when the connection broke, and when nobody listens. */
function ignoreNoAnswer(error: unknown) {
  if (error instanceof NotDone || error instanceof TypeError) return;
  if (error instanceof Error && error.name === 'TimeoutError') return;
  throw error;
}

async function done(answer: Promise<Reply>): Promise<Reply> {
  const reply = await answer;
  if (reply.status !== 200 && reply.status !== 201) throw new NotDone(`${reply.status}`);
  return reply;
}

const soon = () => ({ signal: AbortSignal.timeout(PATIENCE_MS) });

const wav = (bytes: Buffer) => ({ bytes, name: 'take.wav', type: 'audio/wav' });

/** Between a third of a second and one and a half; each sounds different. */
const song = (random: Random) => tone(random.between(0.3, 1.5), random.between(100, 800), 32_000);

/** Sends one recording after another, in one request or in chunks. */
function sender(client: Client, ledger: Ledger, random: Random): Person {
  const newTake = () => ({
    clientId: randomUUID() as string,
    title: `Song ${randomUUID()}`,
    bytes: song(random),
    inChunks: random.next() < 0.6,
  });
  let take = newTake();

  async function upload() {
    const { clientId, bytes } = take;
    const path = `/api/uploads/${clientId}`;
    const key = `upload ${clientId}`;
    const upTo = (end: number) => (end === 0 ? 'begun' : sha256Of(bytes.subarray(0, end)));
    const begin = async () => {
      const { body } = await done(client.put(path, { size: bytes.length }, soon()));
      return (body as { received: number }).received;
    };
    ledger.ask(key, upTo(0));
    let received = await begin();
    ledger.confirm(key, upTo(received));
    while (received < bytes.length) {
      const end = Math.min(bytes.length, received + 24_000);
      ledger.ask(key, upTo(end));
      await done(client.patch(`${path}?start=${received}`, bytes.subarray(received, end), soon()));
      received = end;
      ledger.confirm(key, upTo(received));
    }
    // From here on the recording may have been created from it.
    ledger.ask(key, null);
  }

  return {
    async attempt() {
      const { clientId, title, bytes, inChunks } = take;
      const key = `recording ${title}`;
      if (inChunks) await upload();
      ledger.ask(key, sha256Of(bytes));
      const parts: FormParts = inChunks ? { uploadId: clientId } : { audio: wav(bytes) };
      await done(client.form('/api/recordings', { title, clientId, ...parts }, soon()));
      ledger.confirm(key, sha256Of(bytes));
      ledger.confirm(`upload ${clientId}`, null);
      take = newTake();
    },
  };
}

type Waiting = { id: number; title: string };

type IsAssigned = (id: number) => boolean;

async function waitingFor(teacher: Client, isAssigned: IsAssigned): Promise<Waiting | null> {
  const { body } = await done(teacher.get('/api/recordings/pending', soon()));
  return (body as Waiting[]).find(({ id }) => isAssigned(id)) ?? null;
}

/** Answers a recording, in writing and often in voice, and corrects the answer. */
function replier(teacher: Client, isAssigned: IsAssigned, ledger: Ledger, random: Random): Person {
  let reply: { to: Waiting; clientId: string; written: string; audio: Buffer | null } | null = null;
  let corrections = 0;
  let sent: number | null = null;

  async function correct(id: number, title: string) {
    const written = `Softer ${randomUUID()}`;
    const audio = random.next() < 0.5 ? song(random) : null;
    const key = `feedback ${title}`;
    const kept = audio ?? reply?.audio ?? null;
    ledger.ask(key, digestOf(written, kept));
    const parts: FormParts = { writtenFeedback: written, ...(audio && { audioFeedback: wav(audio) }) };
    try {
      await done(teacher.form(`/api/feedback/${id}`, parts, { method: 'PUT', ...soon() }));
    } catch (error) {
      // Which sound it has now is unknown, so it is left alone.
      reply = sent = null;
      throw error;
    }
    ledger.confirm(key, digestOf(written, kept));
    if (reply) reply.audio = kept;
  }

  return {
    async attempt() {
      if (reply && sent !== null) {
        await correct(sent, reply.to.title);
        corrections += 1;
        if (corrections >= 3) reply = sent = null;
        return;
      }
      if (!reply) {
        const to = await waitingFor(teacher, isAssigned);
        if (!to) return;
        const audio = random.next() < 0.6 ? song(random) : null;
        reply = { to, clientId: randomUUID(), written: `Well sung ${randomUUID()}`, audio };
        corrections = 0;
      }
      const { to, clientId, written, audio } = reply;
      const key = `feedback ${to.title}`;
      ledger.ask(key, digestOf(written, audio));
      const parts: FormParts = { recordingId: to.id, writtenFeedback: written, clientId };
      const { body } = await done(
        teacher.form('/api/feedback', { ...parts, ...(audio && { audioFeedback: wav(audio) }) }, soon()),
      );
      ledger.confirm(key, digestOf(written, audio));
      sent = (body as { id: number }).id;
    },
  };
}

/** Keeps editing the draft for one recording. */
function drafter(teacher: Client, isAssigned: IsAssigned, ledger: Ledger): Person {
  let on: Waiting | null = null;
  let words = 0;
  return {
    async attempt() {
      on ??= await waitingFor(teacher, isAssigned);
      if (!on) return;
      const key = `draft ${on.title}`;
      const text = `Listen to the breath ${randomUUID()}`;
      ledger.ask(key, text);
      await done(teacher.put(`/api/admin/recordings/${on.id}/draft`, { text, marks: [] }, soon()));
      ledger.confirm(key, text);
      words += 1;
      if (words % 20 === 0) on = null;
    },
  };
}

/** Adds a melody with its sound, replaces both text and sound a few times, and goes on with another. */
function melodyKeeper(teacher: Client, levelId: number, ledger: Ledger, random: Random): Person {
  let melody: { id: number; title: string } | null = null;
  let changes = 0;
  return {
    async attempt() {
      const title = melody?.title ?? `Melody ${randomUUID()}`;
      const key = `melody ${title}`;
      const melodyText = `Namo ${randomUUID()}`;
      const sound = song(random);
      const parts: FormParts = { title, melodyText, transmissionLevelId: levelId, audioFile: wav(sound) };
      ledger.ask(key, digestOf(melodyText, sound));
      if (!melody) {
        const { body } = await done(teacher.form('/api/melodies', parts, soon()));
        melody = { id: (body as { id: number }).id, title };
        changes = 0;
      } else {
        await done(teacher.form(`/api/melodies/${melody.id}`, parts, { method: 'PUT', ...soon() }));
        changes += 1;
      }
      ledger.confirm(key, digestOf(melodyText, sound));
      if (changes >= 4) melody = null;
    },
  };
}
