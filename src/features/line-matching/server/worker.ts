import type { Db } from '#server/db/database.ts';
import { isCurrentFeaturesVersion } from '../alignment/packed-features.ts';
import { extractSoundFeatures, findLinesInSound } from './find-lines.ts';
import type { Clock } from '#server/clock.ts';
import type { DecodingTools } from '#server/decoding/sandbox.ts';
import { createJobWorker, createRetryPolicy } from '#server/jobs/worker.ts';
import type { Log } from '#server/log.ts';
import type { DiskSpaceMonitor } from '#server/media/disk-space.ts';
import { withTemporaryOriginal, type OriginalSound } from '#server/media/with-temporary-original.ts';
import type { Staging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { announceLinesChange } from './announce-lines-change.ts';
import * as store from './store.ts';
import type { LineJob } from './store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

const POLL_MS = 5 * SECOND_MS;

/**
 * Delays after each failure. If the last retry fails too, the recording is left with only its corrected lines.
 */
const RETRY_DELAYS_MS = [MINUTE_MS, 60 * MINUTE_MS];

type Deps = {
  db: Db;
  store: MediaStore;
  staging: Staging;
  disk: DiskSpaceMonitor;
  decoders: DecodingTools;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

/** Creates the worker that finds the lines of queued recordings. Each search runs in a decoder process. */
export function createRecordingLinesWorker(deps: Deps) {
  const { db } = deps;
  const finishJob = (job: LineJob, lines: Found) =>
    store.finishLineJob(db, job, lines, (tx) => announceLinesChange(tx, job.recordingId));
  return createJobWorker(
    {
      name: 'lines',
      jobs: store.createLineJobQueue(db),
      pollMs: POLL_MS,
      work: async (job, signal) => finishJob(job, await findLinesOfRecording(deps, job, signal)),
      retry: createRetryPolicy(RETRY_DELAYS_MS),
      giveUp: (job) => finishJob(job, []),
      describe: ({ recordingId }, error) => ({ recordingId, error }),
    },
    deps,
  );
}

async function findLinesOfRecording(deps: Deps, { recordingId }: LineJob, signal: AbortSignal) {
  const timed = await store.findLineJobInput(deps.db, recordingId);
  if (!timed) return [];
  const options = { ...deps.decoders, signal };
  const starts = timed.timings.map(({ line, start }) => ({ line, start }));
  const features = await getMelodyFeatures(deps, timed.melody, options);
  const found = await withSound(deps, timed.recording, (sound) =>
    findLinesInSound(sound, { features, starts }, options),
  );
  return filterPlausible(found, new Set(starts.map(({ line }) => line)), getSeconds(timed.recording));
}

async function getMelodyFeatures(
  deps: Deps,
  melody: OriginalSound,
  options: DecodingTools & { signal: AbortSignal },
) {
  const known = await store.findSoundFeatures(deps.db, melody.name);
  if (known && isCurrentFeaturesVersion(known)) return known;
  const extracted = await withSound(deps, melody, (sound) => extractSoundFeatures(sound, options));
  await store.saveSoundFeatures(deps.db, melody.name, extracted);
  return extracted;
}

const getSeconds = ({ durationMs }: OriginalSound) => (durationMs ?? 0) / 1000;

const withSound = <T>(
  deps: Deps,
  sound: OriginalSound,
  use: (sound: { path: string; seconds: number }) => Promise<T>,
) => withTemporaryOriginal(deps, sound, 0, (path) => use({ path, seconds: getSeconds(sound) }));

type Found = Awaited<ReturnType<typeof findLinesInSound>>;

/** Maximum number of lines: more than can be sung in half an hour. */
const MAX_LINES = 2_000;

/** Drops implausible lines, because a decoder compromised by a crafted file may return anything. */
function filterPlausible(found: Found, known: ReadonlySet<number>, seconds: number): Found {
  const isShare = (value: number) => value >= 0 && value <= 1;
  return found
    .slice(0, MAX_LINES)
    .filter(
      ({ line, start, end, sure }) =>
        known.has(line) &&
        [start, end, sure].every(Number.isFinite) &&
        isShare(sure) &&
        start >= 0 &&
        start < end &&
        end <= seconds + 1,
    )
    .map(({ line, start, end, sure }) => ({ line, start, end, sure }));
}
