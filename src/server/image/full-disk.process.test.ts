import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { openSandbox } from '../decoding/sandbox.ts';
import { isOutOfSpaceError } from '../media/disk-space.ts';
import { createThumbnail } from './thumbnail.ts';

const folder = createTemporaryFolderPerTest();

test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  'reports a full disk if a thumbnail does not fit',
  async () => {
    const path = join(folder(), 'sent');
    const noise = crypto.getRandomValues(new Uint8Array(100 * 100 * 3));
    await writeFile(
      path,
      await sharp(noise, { raw: { width: 100, height: 100, channels: 3 } })
        .png()
        .toBuffer(),
    );
    const disk = join(folder(), 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'none', disk]);
    try {
      const decoders = { sandbox: await openSandbox({ hide: [] }) };
      const failed: unknown = await createThumbnail(path, join(disk, 'kept'), decoders).catch(
        (error: unknown) => error,
      );
      expect(isOutOfSpaceError(failed)).toBe(true);
      expect(await readdir(disk)).toEqual([]);
    } finally {
      // Unmounts lazily, because the decoder has only just been killed, and its mount namespace may still use
      // the disk.
      execFileSync('umount', ['--lazy', disk]);
    }
  },
);
