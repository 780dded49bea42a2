import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { sql } from 'drizzle-orm';
import { violates, type Db } from '../../../db/database.ts';
import { library } from '../../../db/schema.ts';
import { AppError, type ErrorCode } from '../../contract/errors.ts';
import { SOUND_COPIES } from '../../contract/media.ts';
import type { CopyWanted } from '../audio/encode-copy.ts';
import { largestCopy, makeCopy } from '../audio/make-copy.ts';
import type { Clock } from '../clock.ts';
import type { Decoders } from '../decoding/decoders.ts';
import type { Log } from '../log.ts';
import { pauses } from '../pauses.ts';
import { makeFolder } from '../sync-folder.ts';
import type { FileChecks } from './checks.ts';
import { copiesOf, forgetDamaged, renewLease, settle, takeDue, tryLater, type CopyJob } from './copy-jobs.ts';
import { digestOf } from './digest.ts';
import type { DiskSpace } from './disk-space.ts';
import { randomName, type Media } from './keep.ts';
import type { Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** A job may take half an hour: its lease is renewed, so that a dead worker's returns soon. */
const LEASE_MS = 3 * MINUTE_MS;
const RENEW_MS = MINUTE_MS;

/** How often the queue is asked: nobody waits for a copy. */
const POLL_MS = 15 * SECOND_MS;

/** After each failure; after the last, the original is played for good. */
const RETRIES_MS = [MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];
/** These say nothing about the sound, so that they do not count. */
const CIRCUMSTANCES = new Set<ErrorCode>(['unavailable', 'storage-full']);
const AFTER_CIRCUMSTANCES_MS = 10 * MINUTE_MS;

type Deps = {
  db: Db;
  store: MediaStore;
  media: Media;
  staging: Staging;
  disk: DiskSpace;
  checks: Pick<FileChecks, 'updateNotice'>;
  decoders: Decoders;
  clock: Clock;
  log: Pick<Log, 'info' | 'warn'>;
};

export type CopyWorker = ReturnType<typeof copyWorker>;

/**
 * Makes the copies of sounds from the queue, one at a time. Any number of workers, each in a process of its own, share a
 * queue. Without ffmpeg nothing is taken from it: the originals are played, and their turn comes once there is one.
 */
export function copyWorker(deps: Deps) {
  const { db, decoders, clock, log } = deps;
  const ending = new AbortController();
  const pause = pauses();
  let working = Promise.resolve();

  const inAWhile = (ms: number) => new Date(clock().getTime() + ms);

  /** @returns whether there was a sound to copy */
  async function handleOne(): Promise<boolean> {
    const { ffmpegPath } = decoders;
    if (!ffmpegPath) return false;
    const job = await takeDue(db, clock(), inAWhile(LEASE_MS));
    if (!job) return false;
    const renewal = setInterval(() => {
      renewLease(db, job, inAWhile(LEASE_MS)).catch((error: unknown) =>
        log.warn({ error }, 'the lease of a sound that is being copied could not be renewed'),
      );
    }, RENEW_MS);
    try {
      await makeCopies(deps, job, { ...decoders, ffmpegPath, signal: ending.signal });
      await settle(db, job);
    } catch (error) {
      await recordFailure(job, error);
    } finally {
      clearInterval(renewal);
    }
    return true;
  }

  async function recordFailure(job: CopyJob, error: unknown) {
    if (ending.signal.aborted) return tryLater(db, job, { dueAt: new Date(0), attempts: job.attempts - 1 });
    const { original, attempts } = job;
    if (error instanceof AppError && CIRCUMSTANCES.has(error.code)) {
      log.warn({ error, name: original }, 'no copy of a sound could be made at present');
      return tryLater(db, job, { dueAt: inAWhile(AFTER_CIRCUMSTANCES_MS), attempts: attempts - 1 });
    }
    const wait = RETRIES_MS[attempts - 1];
    log.warn({ error, name: original, attempts }, 'no copy of a sound could be made');
    return wait === undefined ? settle(db, job) : tryLater(db, job, { dueAt: inAWhile(wait), attempts });
  }

  async function workUntilStopped() {
    while (!ending.signal.aborted) {
      try {
        if (await handleOne()) continue;
      } catch (error) {
        log.warn({ error }, 'working on the queue of sounds failed; it will be retried soon');
      }
      if (!ending.signal.aborted) await pause.next(POLL_MS);
    }
  }

  return {
    /** Makes all copies that are due now, and resolves. For tests; `start` keeps doing it. */
    async runOnce() {
      while (await handleOne());
    },

    /** Makes damaged copies anew, which are no loss. */
    async renewDamaged() {
      const forgotten = await db.transaction(forgetDamaged);
      if (forgotten.length === 0) return;
      await deps.media.removeFiles(forgotten);
      await deps.checks.updateNotice();
    },

    start() {
      working = workUntilStopped();
    },

    /** Gives up what is under way; the next start does it again. */
    async stop() {
      ending.abort();
      pause.end();
      await working;
    },
  };
}

type Tools = Decoders & { ffmpegPath: string; signal: AbortSignal };

async function makeCopies(deps: Deps, { sound }: CopyJob, tools: Tools) {
  const { db, disk, staging } = deps;
  const original = staging.newPath();
  await disk.withRoomFor(sound.size + largestCopy(sound), async () => {
    try {
      await fetchOriginal(deps, sound, original);
      const made = new Map((await copiesOf(db, sound.name)).map(({ copy, size }) => [copy, size]));
      // The full one first: the small one must be smaller than what is played otherwise.
      for (const copy of SOUND_COPIES.toReversed()) {
        if (made.has(copy)) continue;
        const { durationMs, seeksExactly } = sound;
        const insteadOf = made.get('full') ?? sound.size;
        const wanted = { copy, durationMs, seeksExactly, insteadOf };
        const size = await keepCopy(deps, sound, original, wanted, tools);
        if (size !== null) made.set(copy, size);
      }
    } finally {
      await staging.discard({ path: original });
    }
  });
}

/** As it was received: a copy of a damaged one would pass for whole. */
async function fetchOriginal({ store, staging }: Deps, { name, size, sha256 }: Sound, path: string) {
  await makeFolder(staging.folder);
  const opened = await store.open(name, { start: 0 });
  if (!opened) throw new Error('the sound is missing');
  await pipeline(opened.stream, createWriteStream(path, { mode: 0o600 }));
  const found = await digestOf(path);
  if (found.size !== size || found.sha256 !== sha256) throw new Error('the sound is damaged');
}

type Sound = CopyJob['sound'];

/** @returns its size; null if it would not be worthwhile, or if it is no use any more */
async function keepCopy(
  { media, staging }: Deps,
  { name, slot }: Sound,
  original: string,
  wanted: CopyWanted,
  tools: Tools,
) {
  const path = staging.newPath();
  try {
    const facts = await makeCopy(original, path, wanted, tools);
    if (!facts) return null;
    const row = {
      ...{ name: randomName(facts.extension), slot: 'audio-copy' as const, copyOf: name, copy: wanted.copy },
      ...{ contentType: facts.contentType, durationMs: facts.durationMs },
      ...(await digestOf(path)),
    };
    await media.saveInTransaction([{ path, row }], async (tx) => {
      // What everyone was told of the melodies says that there is no such copy.
      if (slot === 'melody-audio') await tx.update(library).set({ version: sql`gen_random_uuid()` });
    });
    return row.size;
  } catch (error) {
    // Deleted meanwhile, or another worker, whose lease had expired, was first.
    if (violates(error, 'media_files_copy_of_media_files_name_fk') || violates(error, 'media_files_copies'))
      return null;
    throw error;
  } finally {
    await staging.discard({ path });
  }
}
