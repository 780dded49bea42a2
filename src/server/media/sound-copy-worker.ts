import { sql } from 'drizzle-orm';
import { isConstraintViolationOf, type Db } from '../db/database.ts';
import { library } from '../db/schema.ts';
import { SOUND_COPIES } from '#shared/media.ts';
import type { SoundCopyRequest } from '../audio/decoder/encode-sound-copy.ts';
import { getMaxSoundCopyBytes, createSoundCopy } from '../audio/create-sound-copy.ts';
import type { Clock } from '../clock.ts';
import type { DecodingTools } from '../decoding/sandbox.ts';
import { createJobWorker, createRetryPolicy } from '../jobs/worker.ts';
import type { Log } from '../log.ts';
import type { FileChecks } from './file-checks.ts';
import {
  listSoundCopies,
  createSoundCopyJobQueue,
  findOriginalSound,
  deleteDamagedSoundCopies,
} from './sound-copy-jobs.ts';
import { hashFile } from './hash-file.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import { withTemporaryOriginal } from './with-temporary-original.ts';
import { createRandomFileName, type MediaRepository } from './media-repository.ts';
import type { Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Polling interval. Nothing wakes the worker earlier, because copies are not urgent. */
const POLL_MS = 15 * SECOND_MS;

/** Delay before each retry. If the last retry fails too, there will be no copy, and the original is played. */
const RETRY_DELAYS_MS = [MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];

type Deps = {
  db: Db;
  store: MediaStore;
  media: MediaRepository;
  staging: Staging;
  disk: DiskSpaceMonitor;
  checks: Pick<FileChecks, 'updateNotice'>;
  decoders: DecodingTools;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

/**
 * Creates a worker that makes copies of queued audio files. Without ffmpeg, jobs stay in the queue: the
 * originals are played, and the copies are made once ffmpeg is available.
 */
export function createSoundCopyWorker(deps: Deps) {
  const { db, decoders } = deps;
  const { ffmpegPath } = decoders;
  const jobs = createSoundCopyJobQueue(db);
  const worker = createJobWorker(
    {
      name: 'copies',
      jobs: ffmpegPath ? jobs : { ...jobs, leaseNext: () => Promise.resolve(null) },
      pollMs: POLL_MS,
      async work(job, signal) {
        const sound = await findOriginalSound(db, job.original);
        if (sound) await makeCopies(deps, sound, { ...decoders, ffmpegPath: ffmpegPath!, signal });
        await jobs.finish(job);
      },
      retry: createRetryPolicy(RETRY_DELAYS_MS),
      giveUp: jobs.finish,
      describe: ({ original }, error) => ({ name: original, error }),
    },
    deps,
  );

  return {
    ...worker,

    /** Deletes damaged copies, and queues their originals to be copied again. */
    async renewDamaged() {
      const forgotten = await db.transaction(deleteDamagedSoundCopies);
      if (forgotten.length === 0) return;
      await deps.media.removeFiles(forgotten);
      await deps.checks.updateNotice();
    },
  };
}

type Sound = NonNullable<Awaited<ReturnType<typeof findOriginalSound>>>;
type Tools = DecodingTools & { ffmpegPath: string; signal: AbortSignal };

const makeCopies = (deps: Deps, sound: Sound, tools: Tools) =>
  withTemporaryOriginal(deps, sound, getMaxSoundCopyBytes(sound), async (original) => {
    const made = new Map((await listSoundCopies(deps.db, sound.name)).map(({ copy, size }) => [copy, size]));
    // Makes the full copy first, because the small copy is only worthwhile if it is much smaller than the file
    // that would otherwise be played.
    for (const copy of SOUND_COPIES.toReversed()) {
      if (made.has(copy)) continue;
      const { durationMs, seeksExactly } = sound;
      const insteadOf = made.get('full') ?? sound.size;
      const wanted = { copy, durationMs, seeksExactly, insteadOf };
      const size = await createAndStoreCopy(deps, sound, original, wanted, tools);
      if (size !== null) made.set(copy, size);
    }
  });

/**
 * Makes and stores one copy.
 * @returns the copy's size in bytes; null if the copy would not be worthwhile or is no longer needed
 */
async function createAndStoreCopy(
  { media, staging }: Deps,
  { name, slot }: Sound,
  original: string,
  wanted: SoundCopyRequest,
  tools: Tools,
) {
  const path = staging.newPath();
  try {
    const facts = await createSoundCopy(original, path, wanted, tools);
    if (!facts) return null;
    const row = {
      ...{
        name: createRandomFileName(facts.extension),
        slot: 'audio-copy' as const,
        copyOf: name,
        copy: wanted.copy,
      },
      ...{ contentType: facts.contentType, durationMs: facts.durationMs },
      ...(await hashFile(path)),
    };
    await media.saveInTransaction([{ path, row }], async (tx) => {
      // Invalidates cached lists of melodies, which don't include this copy yet.
      if (slot === 'melody-audio') await tx.update(library).set({ version: sql`gen_random_uuid()` });
    });
    return row.size;
  } catch (error) {
    // Gives up on this copy. Either the original was deleted, or another worker took over the expired lease and
    // was faster.
    if (
      isConstraintViolationOf(error, 'media_files_copy_of_media_files_name_fk') ||
      isConstraintViolationOf(error, 'media_files_copies')
    )
      return null;
    throw error;
  } finally {
    await staging.discard({ path });
  }
}
