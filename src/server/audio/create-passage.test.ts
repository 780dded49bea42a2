import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getTestAudioPath } from '#testing/audio-expectations.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { type DecodingTools, openSandbox } from '../decoding/sandbox.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { inspectAudio } from './inspect.ts';
import { createPassage } from './create-passage.ts';

const sandbox = await openSandbox({ hide: [] });
const ffmpeg = { ffmpegPath: await findFfmpeg(undefined), sandbox };
const without: DecodingTools = { ffmpegPath: null, sandbox };
const folder = createTemporaryFolderPerTest();

async function cut(file: string, wanted: { start: number; end: number }, tools = without) {
  const to = join(folder(), `${crypto.randomUUID()}.wav`);
  await createPassage(getTestAudioPath(file), to, wanted, tools);
  const { durationMs, contentType } = await inspectAudio(to, { maxSeconds: 60, kinds: ['wav'] }, tools);
  const bytes = await readFile(to);
  const samples = new Int16Array(new Uint8Array(bytes.subarray(44)).buffer);
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return { durationMs, contentType, samples, loudest };
}

const kinds = ['melody.wav', 'melody-f32.wav', 'melody-cbr.mp3', 'melody.ogg', 'melody.webm', 'melody.flac'];

describe.each([
  ['without ffmpeg', without, kinds],
  ['with ffmpeg', ffmpeg, [...kinds, 'melody.m4a', 'melody.opus']],
] as const)('createPassage %s', (_, tools, files) => {
  it.skipIf(tools === ffmpeg && !ffmpeg.ffmpegPath).each(files)(
    'cuts an audible passage of the requested length out of %s',
    async (file) => {
      const { durationMs, contentType, loudest } = await cut(file, { start: 0.5, end: 1.75 }, tools);
      expect(contentType).toBe('audio/wav');
      expect(Math.abs(durationMs - 1250)).toBeLessThan(30);
      expect(loudest).toBeGreaterThan(500);
    },
  );
});

it('a passage must start within the file, and is cut off at the file’s end', async () => {
  const { durationMs } = await inspectAudio(getTestAudioPath('tone440.wav'), { maxSeconds: 60 }, without);
  const seconds = durationMs / 1000;
  const last = await cut('tone440.wav', { start: seconds - 0.5, end: seconds + 20 });
  expect(Math.abs(last.durationMs - 500)).toBeLessThan(5);
  await expect(cut('tone440.wav', { start: seconds + 1, end: seconds + 2 })).rejects.toMatchObject({
    code: 'unsupported-media',
  });
});
