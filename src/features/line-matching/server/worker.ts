import type { Db } from '#server/db/database.ts';
import { isPackedNow } from '../alignment/packed-features.ts';
import { featuresOfSound, linesInSound } from './find-lines.ts';
import type { Clock } from '#server/clock.ts';
import type { Decoders } from '#server/decoding/sandbox.ts';
import { createWorker, retryAfter } from '#server/jobs/worker.ts';
import type { Log } from '#server/log.ts';
import type { DiskSpace } from '#server/media/disk-space.ts';
import { withOriginal, type Original } from '#server/media/fetch-original.ts';
import type { Staging } from '#server/media/staging.ts';
import type { MediaStore } from '#server/media/store.ts';
import { tellOfLines } from './news.ts';
import * as store from './store.ts';
import type { LineJob } from './store.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

const POLL_MS = 5 * SECOND_MS;

/** Delays after each failure. After the last one, the recording has no known lines. */
const RETRIES_MS = [MINUTE_MS, 60 * MINUTE_MS];

type Deps = {
  db: Db;
  store: MediaStore;
  staging: Staging;
  disk: DiskSpace;
  decoders: Decoders;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

/** Finds the lines of queued recordings, in the process that decodes sounds. */
export function recordingLinesWorker(deps: Deps) {
  const { db } = deps;
  const settle = (job: LineJob, lines: Found) =>
    store.settle(db, job, lines, (tx) => tellOfLines(tx, job.recordingId));
  return createWorker(
    {
      name: 'lines',
      jobs: store.lineJobsIn(db),
      pollMs: POLL_MS,
      work: async (job, signal) => settle(job, await findIn(deps, job, signal)),
      retry: retryAfter(RETRIES_MS),
      giveUp: (job) => settle(job, []),
      describe: ({ recordingId }, error) => ({ recordingId, error }),
    },
    deps,
  );
}

async function findIn(deps: Deps, { recordingId }: LineJob, signal: AbortSignal) {
  const timed = await store.findTimed(deps.db, recordingId);
  if (!timed) return [];
  const options = { ...deps.decoders, signal };
  const starts = timed.timings.map(({ line, start }) => ({ line, start }));
  const features = await featuresOfMelody(deps, timed.melody, options);
  const found = await withSound(deps, timed.recording, (sound) =>
    linesInSound(sound, { features, starts }, options),
  );
  return plausible(found, new Set(starts.map(({ line }) => line)), secondsOf(timed.recording));
}

async function featuresOfMelody(deps: Deps, melody: Original, options: Decoders & { signal: AbortSignal }) {
  const known = await store.findFeatures(deps.db, melody.name);
  if (known && isPackedNow(known)) return known;
  const made = await withSound(deps, melody, (sound) => featuresOfSound(sound, options));
  await store.keepFeatures(deps.db, melody.name, made);
  return made;
}

const secondsOf = ({ durationMs }: Original) => (durationMs ?? 0) / 1000;

const withSound = <T>(
  deps: Deps,
  sound: Original,
  use: (sound: { path: string; seconds: number }) => Promise<T>,
) => withOriginal(deps, sound, 0, (path) => use({ path, seconds: secondsOf(sound) }));

type Found = Awaited<ReturnType<typeof linesInSound>>;

/** More lines than can be sung in half an hour. */
const LINES_MAX = 2_000;

/** Drops lines that make no sense: a decoder compromised by a crafted file may return anything. */
function plausible(found: Found, known: ReadonlySet<number>, seconds: number): Found {
  const isShare = (value: number) => value >= 0 && value <= 1;
  return found
    .slice(0, LINES_MAX)
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
