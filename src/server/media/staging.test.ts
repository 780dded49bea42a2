import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { UploadSlot } from '#shared/media.ts';
import { withFault } from '#testing/inject-faults.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import { openStaging } from './staging.ts';

const folder = createTemporaryFolderPerTest();

test('a staged file that can’t be deleted is left to the sweep', async () => {
  const disk = { withReservedRoom: (_bytes, write) => write() } as DiskSpaceMonitor;
  const staging = openStaging(join(folder(), 'staging'), disk, () => Promise.resolve());
  const slot = { tooLargeFrom: 100 } as UploadSlot;
  const file = await staging.receive(Readable.from([Buffer.from('a song')]), slot);
  expect(await withFault('remove', 1, () => staging.discard(file))).toMatchObject({ hasFailed: true });
  expect(await staging.sweep(new Date(Date.now() + 1_000))).toBe(1);
});
