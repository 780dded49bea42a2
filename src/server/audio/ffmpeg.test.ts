import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { findFfmpeg } from './ffmpeg.ts';

const folder = temporaryFolder();

async function program(commands: string): Promise<string> {
  const path = join(folder(), 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${commands}\n`);
  await chmod(path, 0o755);
  return path;
}

it('the operator’s own ffmpeg is used', async () => {
  const path = await program('echo ffmpeg version 99');
  expect(await findFfmpeg(path)).toBe(path);
});

it('a setting that does not run as ffmpeg fails the start with an error that names it', async () => {
  await expect(findFfmpeg('/no/such/thing')).rejects.toThrow(/FFMPEG_PATH/);
  await expect(findFfmpeg(await program('exit 127'))).rejects.toThrow(/FFMPEG_PATH/);
});

it('without the setting the PATH is searched, skipping an ffmpeg that does not run', async () => {
  const path = await program('echo ffmpeg version 99');
  vi.stubEnv('PATH', `/nowhere:${folder()}`);
  expect(await findFfmpeg(undefined)).toBe(path);
  await program('exit 127');
  expect(await findFfmpeg('')).toBeNull();
  vi.unstubAllEnvs();
});

it('‘none’ does without the one on the PATH', async () => {
  expect(await findFfmpeg('none')).toBe(null);
});
