import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { tone } from '#testing/tone.ts';
import { audioKindOf } from '#shared/audio-kind.ts';
import { encodeCopy } from './encode-copy.ts';
import { findFfmpeg } from '../ffmpeg.ts';

const folder = temporaryFolder();
const ffmpegPath = await findFfmpeg(undefined);

/** The first second of a sound of so many. @returns the kind of its small copy; null if none is worthwhile */
async function small(seconds: number, { by = ffmpegPath!, insteadOf = 1e9 } = {}) {
  const [from, to] = [join(folder(), 'sound.wav'), join(folder(), 'copy')];
  await writeFile(from, tone(1));
  const wanted = { copy: 'small', durationMs: seconds * 1000, seeksExactly: true, insteadOf } as const;
  return (await encodeCopy(by, from, to, wanted)) ? audioKindOf(await readFile(to)) : null;
}

describe.skipIf(!ffmpegPath)('a small copy', () => {
  test('is an M4A, and beyond eight minutes an MP3, which has no index', async () => {
    expect([await small(480), await small(481)]).toEqual(['m4a', 'mp3']);
  });

  test('is an M4A where ffmpeg makes no MP3', async () => {
    const able = join(folder(), 'ffmpeg');
    await writeFile(able, `#!/bin/sh\ncase "$*" in *libmp3lame*) exit 1;; esac\nexec ${ffmpegPath!} "$@"\n`);
    await chmod(able, 0o755);
    expect(await small(481, { by: able })).toBe('m4a');
  });

  test('is made if it saves a quarter, and no less', async () => {
    const bytes = (100 * 48_000) / 8;
    expect(await small(100, { insteadOf: bytes / 0.75 })).toBe('m4a');
    expect(await small(100, { insteadOf: bytes / 0.76 })).toBe(null);
  });
});
