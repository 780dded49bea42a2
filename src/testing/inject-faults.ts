import fs, { type NoParamCallback } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';

/** Calls to the file system that can fail: in `fs.promises`, of a `FileHandle`, and in `fs` with a callback. */
const DISK_CALLS = {
  create: { promises: ['open', 'mkdir', 'copyFile'], handle: [], callback: ['open'] },
  write: { promises: ['writeFile'], handle: ['write', 'writeFile'], callback: ['write', 'writev'] },
  sync: { promises: [], handle: ['sync', 'datasync'], callback: [] },
  rename: { promises: ['rename', 'link'], handle: [], callback: [] },
  remove: { promises: ['rm'], handle: [], callback: [] },
} as const;
type DiskFault = keyof typeof DISK_CALLS;

/**
 * Failures of a statement. 'refused': the database rejects it. 'unsent': the connection breaks before the
 * database receives it. 'unanswered': the database executes it, and the connection breaks before the response.
 */
const DATABASE_FAULTS = ['refused', 'unsent', 'unanswered'] as const;

export const FAULTS = [...(Object.keys(DISK_CALLS) as DiskFault[]), ...DATABASE_FAULTS];
export type Fault = (typeof FAULTS)[number];

/**
 * Runs an action while one call fails: the `nth` of those that the fault concerns, counted from 1. Affects the
 * whole process.
 * @returns the result of the action, and whether a call failed; false if there were fewer calls
 */
export async function withFault<T>(
  fault: Fault,
  nth: number,
  action: () => Promise<T>,
): Promise<{ result: T; hasFailed: boolean }> {
  let calls = 0;
  const isNext = () => (calls += 1) === nth;
  const restore =
    fault in DISK_CALLS ? await failDisk(fault as DiskFault, isNext) : failDatabase(fault, isNext);
  try {
    const result = await action();
    return { result, hasFailed: calls >= nth };
  } finally {
    restore();
  }
}

async function failDisk(fault: DiskFault, isNext: () => boolean) {
  const { promises, handle, callback } = DISK_CALLS[fault];
  const fileHandle = await fs.promises.open('/dev/null');
  await fileHandle.close();
  const rejecting: Replacement = (original) =>
    function (...args) {
      return isNext() ? Promise.reject(createDiskError()) : original.apply(this, args);
    };
  const callingBack: Replacement = (original) =>
    function (...args) {
      if (!isNext()) return original.apply(this, args);
      return process.nextTick(args.at(-1) as NoParamCallback, createDiskError());
    };
  const undo = [
    ...replaceMethods(fs.promises, promises, rejecting),
    ...replaceMethods(Object.getPrototypeOf(fileHandle) as object, handle, rejecting),
    ...replaceMethods(fs, callback, callingBack),
  ];
  // Updates the named imports of the program's modules.
  syncBuiltinESMExports();
  return () => {
    for (const each of undo) each();
    syncBuiltinESMExports();
  };
}

function failDatabase(fault: Fault, isNext: () => boolean) {
  const failing: Replacement = (submit) =>
    function (...args) {
      if (!isNext()) return submit.apply(this, args);
      const query = this as { text: string; values?: unknown[]; handleCommandComplete: () => void };
      const { stream } = args[0] as pg.Connection;
      if (fault === 'unsent') {
        stream.destroy();
        return null;
      }
      if (fault === 'unanswered') query.handleCommandComplete = () => stream.destroy();
      else Object.assign(query, { text: 'select 1 / 0', values: undefined });
      return submit.apply(this, args);
    };
  const undo = replaceMethods(pg.Query.prototype as object, ['submit'], failing);
  return () => undo.forEach((each) => each());
}

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Replacement = (original: Method) => Method;

/** Replaces methods of an object. Returns functions that restore them. */
function replaceMethods(object: object, names: readonly string[], replacement: Replacement) {
  const methods = object as Record<string, Method>;
  return names.map((name) => {
    const original = methods[name]!;
    methods[name] = replacement(original);
    return () => void (methods[name] = original);
  });
}

const createDiskError = () => Object.assign(new Error('EIO: i/o error, injected'), { code: 'EIO' });
