import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createRawDiskStorage } from '#testing/raw-media-storage.ts';
import { testMediaStore } from '#testing/store-contract.ts';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true, force: true }))));

testMediaStore(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-media-'));
  folders.push(folder);
  return createRawDiskStorage(folder);
});
