import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { createTone } from '#testing/tone.ts';
import { detectAudioKind } from '#shared/audio-kind.ts';
import { encodeSoundCopy } from './encode-sound-copy.ts';
import { findFfmpeg } from '../ffmpeg.ts';

const folder = createTemporaryFolderPerTest();
const ffmpegPath = await findFfmpeg(undefined);

/**
 * Makes a small copy of a one-second file, but claims that the file lasts `seconds`.
 * @returns the format of the copy; null if a copy is not worthwhile
 */
async function small(seconds: number, { by = ffmpegPath!, insteadOf = 1e9 } = {}) {
  const [from, to] = [join(folder(), 'sound.wav'), join(folder(), 'copy')];
  await writeFile(from, createTone(1));
  const wanted = { copy: 'small', durationMs: seconds * 1000, seeksExactly: true, insteadOf } as const;
  return (await encodeSoundCopy(by, from, to, wanted)) ? detectAudioKind(await readFile(to)) : null;
}

describe.skipIf(!ffmpegPath)('encodeSoundCopy', () => {
  test('a small copy of up to eight minutes is an M4A, and a longer copy is an MP3', async () => {
    expect([await small(480), await small(481)]).toEqual(['m4a', 'mp3']);
  });

  test('a small copy of long audio is an M4A if ffmpeg cannot encode MP3', async () => {
    const able = join(folder(), 'ffmpeg');
    await writeFile(able, `#!/bin/sh\ncase "$*" in *libmp3lame*) exit 1;; esac\nexec ${ffmpegPath!} "$@"\n`);
    await chmod(able, 0o755);
    expect(await small(481, { by: able })).toBe('m4a');
  });

  test('makes a small copy only if it saves at least a quarter of the bytes', async () => {
    const bytes = (100 * 48_000) / 8;
    expect(await small(100, { insteadOf: bytes / 0.75 })).toBe('m4a');
    expect(await small(100, { insteadOf: bytes / 0.76 })).toBe(null);
  });
});
