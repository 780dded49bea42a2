import { sql } from 'drizzle-orm';
import { violates, type Db } from '../db/database.ts';
import { library } from '../db/schema.ts';
import { SOUND_COPIES } from '#shared/media.ts';
import type { CopyWanted } from '../audio/encode-copy.ts';
import { largestCopy, makeCopy } from '../audio/make-copy.ts';
import type { Clock } from '../clock.ts';
import type { Decoders } from '../decoding/decoders.ts';
import { jobWorker } from '../jobs/job-worker.ts';
import type { Log } from '../log.ts';
import type { FileChecks } from './checks.ts';
import { copiesOf, forgetDamaged, renewLease, settle, takeDue, tryLater, type CopyJob } from './copy-jobs.ts';
import { digestOf } from './digest.ts';
import type { DiskSpace } from './disk-space.ts';
import { fetchOriginal } from './fetch-original.ts';
import { randomName, type Media } from './keep.ts';
import type { Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How often the queue is asked: nobody waits for a copy. */
const POLL_MS = 15 * SECOND_MS;

/** After each failure; after the last, the original is played for good. */
const RETRIES_MS = [MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];

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

/**
 * Makes the copies of sounds from the queue, one at a time. Any number of workers, each in a process of its own, share a
 * queue. Without ffmpeg nothing is taken from it: the originals are played, and their turn comes once there is one.
 */
export function copyWorker(deps: Deps) {
  const { db, decoders } = deps;
  const worker = jobWorker(
    {
      what: 'a copy of a sound',
      pollMs: POLL_MS,
      retriesMs: RETRIES_MS,
      take: async (now, lease) => (decoders.ffmpegPath ? takeDue(db, now, lease) : null),
      renew: (job, lease) => renewLease(db, job, lease),
      async work(job: CopyJob, signal) {
        await makeCopies(deps, job, { ...decoders, ffmpegPath: decoders.ffmpegPath!, signal });
        await settle(db, job);
      },
      postpone: (job, next) => tryLater(db, job, next),
      giveUp: (job) => settle(db, job),
      nameOf: ({ original }) => ({ name: original }),
    },
    deps,
  );

  return {
    ...worker,

    /** Makes damaged copies anew, which are no loss. */
    async renewDamaged() {
      const forgotten = await db.transaction(forgetDamaged);
      if (forgotten.length === 0) return;
      await deps.media.removeFiles(forgotten);
      await deps.checks.updateNotice();
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
