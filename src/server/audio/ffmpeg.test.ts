import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { findFfmpeg } from './ffmpeg.ts';

const folder = createTemporaryFolderPerTest();

async function program(commands: string): Promise<string> {
  const path = join(folder(), 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${commands}\n`);
  await chmod(path, 0o755);
  return path;
}

it('uses the ffmpeg that FFMPEG_PATH points to', async () => {
  const path = await program('echo ffmpeg version 99');
  expect(await findFfmpeg(path)).toBe(path);
});

it('throws an error that names FFMPEG_PATH if it does not point to a working ffmpeg', async () => {
  await expect(findFfmpeg('/no/such/thing')).rejects.toThrow(/FFMPEG_PATH/);
  await expect(findFfmpeg(await program('exit 127'))).rejects.toThrow(/FFMPEG_PATH/);
});

it('by default, searches the PATH for a working ffmpeg', async () => {
  const path = await program('echo ffmpeg version 99');
  vi.stubEnv('PATH', `/nowhere:${folder()}`);
  expect(await findFfmpeg(undefined)).toBe(path);
  await program('exit 127');
  expect(await findFfmpeg('')).toBeNull();
  vi.unstubAllEnvs();
});

it('ignores the ffmpeg on the PATH if FFMPEG_PATH is ‘none’', async () => {
  expect(await findFfmpeg('none')).toBe(null);
});
