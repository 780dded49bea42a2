import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createDiskPlace } from '#testing/media-place.ts';
import { testMediaStore } from '#testing/store-contract.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

testMediaStore(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-media-'));
  folders.push(folder);
  return createDiskPlace(folder);
});
