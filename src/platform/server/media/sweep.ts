import { inArray } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mediaFiles } from '../../../db/schema.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Notices } from '../notices.ts';
import type { Staging } from './staging.ts';
import type { MediaStore } from './store.ts';

/** Crashes leave few files. More than this, and more than a tenth of all, mean that something else is wrong. */
const A_FEW = 10;
const A_TENTH = 0.1;

/** How long a file that was set aside can be restored. */
const DAYS_ASIDE = 30;

type Deps = {
  db: Db;
  store: MediaStore;
  staging: Staging;
  notices: Notices;
  log: Pick<Log, 'info' | 'error'>;
  clock: Clock;
};

/**
 * Sets aside files from before `cutoff` that no row names, and restores those that a row names again. If there are too
 * many it moves none, and notifies log and teacher. Staged files were never acknowledged: leftovers are deleted.
 */
export function sweepOf({ db, store, staging, notices, log, clock }: Deps) {
  return async function sweep(cutoff: Date): Promise<{ files: number; staged: number }> {
    await takeBackNamed();
    const { orphans, total } = await look(cutoff);
    const isHeld = orphans.length > A_FEW && orphans.length > total * A_TENTH;
    if (isHeld) {
      log.error({ files: orphans.length, of: total, some: orphans.slice(0, 20) }, HELD);
      await notices.raise('sweep-held', { files: orphans.length, of: total });
    } else {
      await setAside(orphans);
      await notices.clear('sweep-held');
    }
    return { files: isHeld ? 0 : orphans.length, staged: await staging.sweep(cutoff) };
  };

  async function look(cutoff: Date) {
    const orphans: string[] = [];
    let total = 0;
    for await (const batch of inBatches(store.list())) {
      total += batch.length;
      const old = batch.filter(({ publishedAt }) => publishedAt < cutoff).map(({ name }) => name);
      const named = await namedOf(old);
      orphans.push(...old.filter((name) => !named.has(name)));
    }
    return { orphans, total };
  }

  async function takeBackNamed() {
    for await (const names of inBatches(store.aside.list())) {
      for (const name of await namedOf(names)) {
        if (await store.aside.restore(name)) log.info({ name }, 'restored a file that had been set aside');
      }
    }
  }

  async function namedOf(names: string[]): Promise<Set<string>> {
    if (names.length === 0) return new Set();
    const rows = await db
      .select({ name: mediaFiles.name })
      .from(mediaFiles)
      .where(inArray(mediaFiles.name, names));
    return new Set(rows.map(({ name }) => name));
  }

  async function setAside(names: string[]) {
    const days = await putAside(store, clock, names);
    for (const name of names) log.info({ name }, 'set a file aside that nothing names');
    for (const day of days.slice(0, -DAYS_ASIDE)) await store.aside.forget(day);
  }
}

/**
 * Days are counted by those begun, one per run, and not by the clock alone: a clock that is off by a year for one start
 * costs one of the thirty at most. Nor does a day precede an earlier one.
 * @returns the days before this one
 */
export async function putAside(
  { aside }: Pick<MediaStore, 'aside'>,
  clock: Clock,
  names: readonly string[],
): Promise<string[]> {
  const begun = await aside.days();
  const today = latest(clock().toISOString().slice(0, 10), begun.at(-1));
  await aside.begin(today);
  for (const name of names) await aside.put(name, today);
  return begun.filter((day) => day !== today);
}

const latest = (today: string, before = '') => (before > today ? before : today);

async function* inBatches<T>(items: AsyncIterable<T>, size = 500): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const HELD =
  'too many files without a row to be leftovers of a crash: none was moved. Is this the right database?';
