import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ConnectionSettings, Db } from '../db/database.ts';
import { withDedicatedConnection } from '../db/dedicated-connection.ts';
import { mediaFiles } from '../db/schema.ts';
import { tryAcquireSweepLock } from '../db/advisory-locks.ts';
import type { Clock } from '../clock.ts';
import type { NoticesService } from '../notices.ts';
import type { FileProgress } from '../progress.ts';
import type { FileChecks, FileComparison } from './file-checks.ts';
import {
  FILE_BATCH_SIZE,
  toFileBatches,
  type ComparableMediaRow,
  streamMediaRows,
  findFileNamesWithRow,
  findMediaRowsByName,
  type MediaRow,
} from './media-rows.ts';
import { createTaskPool } from '../concurrency/task-pool.ts';
import { mergeByName } from './merge-by-name.ts';
import type { MediaStore } from './store.ts';
import {
  createOrphanedFileCollector,
  sweepOrphanedFiles,
  type SweepTask,
  type OrphanedFileCollector,
} from './sweep.ts';

/** Minimum working time before a pause of the same length, in ms. */
const WORK_INTERVAL_MS = 50;

export type FileFinding =
  /** The file has no row. */
  | { kind: 'unnamed'; name: string; size: number; repaired: boolean }
  /** The file has a row, but was set aside. */
  | { kind: 'aside'; name: string; repaired: boolean }
  | { kind: 'missing'; name: string; repaired: false }
  /** `size` is null if the disk can't read the file. */
  | { kind: 'changed'; name: string; size: number | null; expected: number; repaired: false }
  /** The file is marked as damaged, but is identical to the upload. */
  | { kind: 'whole'; name: string; repaired: boolean };

export type VerificationResult = FileProgress & {
  /** Number of findings of each kind. */
  found: Record<FileFinding['kind'], number>;
  /**
   * True if no file was moved, because too many have no row. Most of these files are then not reported, but
   * only counted.
   */
  isHeld: boolean;
};

export type VerificationTask = SweepTask & {
  /**
   * Files without a row that were published after this time are skipped, because their rows may not be
   * committed yet.
   */
  before: Date;
  /**
   * Files that are read and compared even if they look intact (right size, not marked as damaged): all, a
   * share (least recently checked first), or none. Files that don't look intact are always checked.
   */
  read: 'all' | 'share' | 'none';
  onFound(findings: FileFinding[]): Promise<void> | void;
  onProgress?(progress: FileProgress): void;
};

type Deps = {
  db: Db;
  connection: ConnectionSettings;
  store: MediaStore;
  checks: FileChecks;
  notices: NoticesService;
  clock: Clock;
};

export type VerifyFiles = ReturnType<typeof createFileVerifier>;

/**
 * Creates a verifier, which checks that each file in the store has a row and each row has its file. It runs
 * while the server is in use. So it checks apparent problems again, and doesn't report files that are just
 * being stored or deleted. If `repair` is set, it sets aside files without rows, restores files that have
 * rows, and marks damaged files. Only daily maintenance deletes anything: files that were set aside long ago.
 * @returns a function that resolves with null if the task is daily maintenance, and another process is
 * already running it or setting files aside
 */
export const createFileVerifier =
  (deps: Deps) =>
  (task: VerificationTask): Promise<VerificationResult | null> =>
    withDedicatedConnection(deps.connection, async (client) =>
      task.isMaintenance && !(await tryAcquireSweepLock(client)) ? null : verify(deps, task, client),
    );

async function verify(deps: Deps, task: VerificationTask, client: pg.Client): Promise<VerificationResult> {
  const { db } = deps;
  const found: VerificationResult['found'] = { unnamed: 0, aside: 0, missing: 0, changed: 0, whole: 0 };
  const onFound = async (findings: FileFinding[]) => {
    for (const { kind } of findings) found[kind] += 1;
    if (findings.length > 0) await task.onFound(findings);
  };
  const progress: FileProgress = { files: 0, total: await db.$count(mediaFiles), bytes: 0 };
  const unnamed = createOrphanedFileCollector(progress.total);
  const walk = {
    ...deps,
    ...task,
    onFound,
    rest: task.isMaintenance ? createPacer(task.signal) : async () => undefined,
  };

  const aside = await restoreNamed(walk);
  await compareAll(walk, client, { aside, unnamed, progress });
  const { files, setAside, isHeld } = await sweepOrphanedFiles(deps, task, {
    client,
    unnamed,
    totalFiles: progress.files,
  });
  for await (const batch of toFileBatches(files))
    await onFound(
      batch.map(({ name, size }) => ({ kind: 'unnamed', name, size, repaired: setAside.has(name) })),
    );
  found.unnamed += unnamed.countRest();
  return { ...progress, found, isHeld };
}

type WalkContext = Deps & VerificationTask & { rest(): Promise<void> };

/**
 * Reports files that were set aside but have a row. If `repair` is set, restores them.
 * @returns the names of those that are still set aside
 */
async function restoreNamed({ db, store, repair, signal, onFound, rest }: WalkContext): Promise<Set<string>> {
  const aside = new Set<string>();
  for await (const batch of toFileBatches(store.aside.list())) {
    for (const { name } of await findMediaRowsByName(db, batch)) {
      signal?.throwIfAborted();
      const isAway = repair ? await store.aside.restore(name) : (await store.sizeOf(name)) === null;
      if (!isAway) continue;
      if (!repair) aside.add(name);
      await onFound([{ kind: 'aside', name, repaired: repair }]);
    }
    await rest();
  }
  return aside;
}

type WalkState = { aside: Set<string>; unnamed: OrphanedFileCollector; progress: FileProgress };

async function compareAll(walk: WalkContext, client: pg.Client, { aside, unnamed, progress }: WalkState) {
  const { store, checks, before, read, repair, signal, rest } = walk;
  const suspects: string[] = [];
  const intact: MediaRow[] = [];
  const looking = createTaskPool(store.maxConcurrent);
  const recordIntact = async () => {
    const rows = intact.splice(0);
    if (repair) await checks.record(rows, null);
  };
  try {
    for await (const { file, row } of mergeByName(store.list(), streamMediaRows(client, read))) {
      signal?.throwIfAborted();
      if (file) progress.files += 1;
      if (!row) {
        if (file.publishedAt < before) unnamed.add(file);
      } else if (file?.size !== row.size || row.damage !== null) {
        suspects.push(row.name);
      } else if (row.sha256 !== null) {
        const { sha256 } = row;
        await looking.add(async () => {
          const { damage } = await checks.look({ ...row, sha256 }, signal);
          if (damage) suspects.push(row.name);
          else intact.push(row);
          progress.bytes += row.size;
        });
        // Maintenance rests between files, so it compares one at a time.
        if (walk.isMaintenance) await looking.drain();
      }
      walk.onProgress?.(progress);
      await rest();
      if (suspects.length >= FILE_BATCH_SIZE) await recheckFiles(walk, suspects.splice(0), aside);
      if (intact.length >= FILE_BATCH_SIZE) await recordIntact();
    }
    await looking.drain();
    await recheckFiles(walk, suspects, aside);
  } finally {
    await looking.settle();
    await recordIntact();
    // Updates the notice even if nothing new was found, because damaged files may have been deleted together
    // with their owners.
    if (repair) await checks.updateNotice();
  }
}

/**
 * Checks files again, and reports which are damaged and which have become intact. If `repair` is set, records the
 * results. Looks up the rows only after reading the files, so that a file that was deleted with its row in between
 * is not reported as missing.
 */
async function recheckFiles(walk: WalkContext, names: string[], aside: Set<string>) {
  const { db, checks, repair, signal, onFound, rest } = walk;
  const looks: { row: ComparableMediaRow; look: FileComparison }[] = [];
  for (const row of await findMediaRowsByName(db, names)) {
    signal?.throwIfAborted();
    looks.push({ row, look: await checks.look(row, signal) });
    await rest();
  }
  const still = await findFileNamesWithRow(
    db,
    looks.map(({ row }) => row),
  );
  const sure = looks.filter(({ row }) => still.has(row.name));
  if (repair)
    for (const damage of ['missing', 'changed', null] as const)
      await checks.record(
        sure.filter(({ look }) => look.damage === damage).map(({ row }) => row),
        damage,
      );
  await onFound(
    sure.filter(({ row }) => !aside.has(row.name)).flatMap(({ row, look }) => toFindings(row, look, repair)),
  );
}

function toFindings(
  { name, size, damage: marked }: ComparableMediaRow,
  look: FileComparison,
  mend: boolean,
): FileFinding[] {
  if (look.damage === 'missing') return [{ kind: 'missing', name, repaired: false }];
  if (look.damage === 'changed')
    return [{ kind: 'changed', name, size: look.size, expected: size, repaired: false }];
  return marked ? [{ kind: 'whole', name, repaired: mend }] : [];
}

/** Returns a function that pauses for as long as the caller has worked since the last pause. */
function createPacer(signal?: AbortSignal) {
  let since = performance.now();
  return async () => {
    const worked = performance.now() - since;
    if (worked < WORK_INTERVAL_MS) return;
    await sleep(worked, undefined, { signal });
    since = performance.now();
  };
}
