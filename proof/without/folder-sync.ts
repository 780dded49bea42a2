import { open, type FileHandle } from 'node:fs/promises';

// Loaded before the program: makes fsync of a folder a no-op, leaving renames to the kernel.
const handle = await open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
const { sync } = prototype;
prototype.sync = async function (this: FileHandle) {
  if (!(await this.stat()).isDirectory()) await sync.call(this);
};
