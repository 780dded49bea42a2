import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before the program. Disables one of the program's safeguards, to show that a disaster then loses
// data. Without this check, a run in which the safeguards prevent any loss would prove nothing.

type Done = (error: NodeJS.ErrnoException | null, written: number, what: unknown) => void;
type Write = (file: number, what: Buffer | Buffer[], ...more: unknown[]) => void;

const disable: Record<string, () => void | Promise<void>> = {
  'file-sync': () => ignoreSync(() => true),
  'folder-sync': () => ignoreSync((isFolder) => isFolder),
  'write-errors': hideWriteErrors,
};
await disable[process.env['CHAOS_WITHOUT'] ?? '']?.();

async function ignoreSync(isIgnored: (isFolder: boolean) => boolean) {
  const handle = await fs.promises.open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as fs.promises.FileHandle;
  await handle.close();
  for (const name of ['sync', 'datasync'] as const) {
    const original = prototype[name];
    prototype[name] = async function (this: fs.promises.FileHandle) {
      if (!isIgnored((await this.stat()).isDirectory())) await original.call(this);
    };
  }
}

/** Makes a full disk report free space, and makes writes that fail for lack of space appear successful. */
function hideWriteErrors() {
  const careless =
    (write: Write): Write =>
    (file, what, ...more) => {
      const done = more.pop() as Done;
      write(file, what, ...more, ((error, written, given) => {
        const length = [what].flat().reduce((sum, { byteLength }) => sum + byteLength, 0);
        if (error?.code === 'ENOSPC') done(null, length, given);
        else done(error, written, given);
      }) satisfies Done);
    };
  fs.write = careless(fs.write as Write) as typeof fs.write;
  fs.writev = careless(fs.writev as unknown as Write) as unknown as typeof fs.writev;
  const { statfs } = fs.promises;
  fs.promises.statfs = (async (path: string) =>
    Object.assign(await statfs(path), { bavail: 1e9 })) as unknown as typeof statfs;
  syncBuiltinESMExports();
}
