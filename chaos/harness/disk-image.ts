import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MEBIBYTE = 1024 * 1024;

/**
 * A separate disk: an ext4 file system on a loop-mounted image. After a power cut, the image has only what was
 * written to it, not what the kernel still held in memory.
 */
export type DiskImage = {
  /** Path of the mount point. */
  folder: string;
  /**
   * Discards everything that has not reached the disk, and mounts the disk again. No process may be using the
   * disk.
   */
  cutPower(): Promise<void>;
  /** Fills the remaining space. @returns a function that frees it */
  fill(): Promise<() => Promise<void>>;
  remove(): Promise<void>;
};

/**
 * Returns the reason why this machine can't mount a disk image, or null if it can. Mounting needs root and a
 * loop device.
 */
export async function explainMissingDiskImage(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux may mount an image';
  try {
    await (await createDiskImage(16)).remove();
    return null;
  } catch (error) {
    return `no image can be mounted here: ${(error as Error).message.trim()}`;
  }
}

export async function createDiskImage(mebibytes: number): Promise<DiskImage> {
  const place = await mkdtemp(join(tmpdir(), 'yangchen-disk-'));
  const folder = join(place, 'mounted');
  let turn = 0;
  const image = () => join(place, `image-${turn}`);

  // With this interval the journal is written only on fsync, so nothing reaches the disk by itself within a run.
  const mount = () => run('mount', ['-o', 'loop,commit=600', image(), folder]);
  /**
   * Unmounts the image. Retries for ten seconds, because a killed process has files open for a moment after
   * it has left the process list.
   */
  async function unmount() {
    for (let triesLeft = 100; ; triesLeft -= 1)
      try {
        return await run('umount', [folder]);
      } catch (error) {
        if (triesLeft === 0) throw error;
        await wait(100);
      }
  }

  await mkdir(folder);
  try {
    const file = await open(image(), 'w');
    await file.truncate(mebibytes * MEBIBYTE);
    await file.close();
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', image()]);
    await mount();
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  }

  return {
    folder,

    async cutPower() {
      const before = image();
      turn += 1;
      // Repeats the copy until it equals the original: then nothing was written while copying, so the copy is
      // consistent.
      do await run('cp', ['--sparse=always', before, image()]);
      while (!(await areSame(before, image())));
      await unmount();
      await rm(before);
      await mount();
    },

    async fill() {
      const path = join(folder, 'filler');
      const filler = await open(path, 'w');
      const chunk = Buffer.alloc(MEBIBYTE, 1);
      try {
        for (let size = chunk.length; size >= 1;) {
          const isThere = await filler.write(chunk, 0, size).then(
            ({ bytesWritten }) => bytesWritten > 0,
            () => false,
          );
          if (!isThere) size = Math.floor(size / 2);
        }
      } finally {
        await filler.close();
      }
      return () => rm(path, { force: true });
    },

    async remove() {
      await unmount();
      await rm(place, { recursive: true, force: true });
    },
  };
}

const areSame = (one: string, other: string) =>
  run('cmp', ['-s', one, other]).then(
    () => true,
    () => false,
  );
