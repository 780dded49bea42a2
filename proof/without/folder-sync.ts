import { open, type FileHandle } from 'node:fs/promises';

// Loaded before the program: fsync of a folder does nothing, so that a rename is left to the kernel.
const handle = await open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
const { sync } = prototype;
prototype.sync = async function (this: FileHandle) {
  if (!(await this.stat()).isDirectory()) await sync.call(this);
};
