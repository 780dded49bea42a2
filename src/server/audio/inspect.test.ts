import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { audioExpectations, getTestAudioPath } from '#testing/audio-expectations.ts';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { AppError, HTTP_STATUS_BY_ERROR_CODE } from '#shared/errors.ts';
import { inspectAudioFile } from './decoder/inspect-audio-file.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { type DecodingTools, openSandbox } from '../decoding/sandbox.ts';
import { inspectAudio } from './inspect.ts';

const recording = { maxSeconds: 30 * 60 };
const melody = { maxSeconds: 3 * 60 * 60, kinds: ['mp3', 'wav', 'm4a'] as const };
const sandbox = await openSandbox({ hide: [] });
const without: DecodingTools = { ffmpegPath: null, sandbox };
const ffmpeg = { ffmpegPath: await findFfmpeg(undefined), sandbox };
const folder = createTemporaryFolderPerTest();

// Silences mediabunny's warnings about odd files.
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

const getRejection = async (inspection: Promise<unknown>) => {
  const error: unknown = await inspection.then(
    () => expect.fail('it was taken'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  const { code, message } = error as AppError;
  return { status: HTTP_STATUS_BY_ERROR_CODE[code], message };
};

const peaksOf = async (file: string, tools = without) => {
  const { peaks } = await inspectAudioFile(getTestAudioPath(file), recording, tools);
  return [...peaks!];
};

describe.each([
  { name: 'without ffmpeg', tools: without },
  { name: 'with ffmpeg', tools: ffmpeg },
])('an uploaded recording, $name', ({ name, tools }) => {
  describe.skipIf(name === 'with ffmpeg' && !tools.ffmpegPath)('recognition by content', () => {
    it.concurrent.each(audioExpectations)('$file is $outcome as a recording', async (expected) => {
      // Inspects the files in this process, because a hundred child processes would take a minute.
      const inspection = inspectAudioFile(getTestAudioPath(expected.file), recording, tools);
      if (expected.outcome === 'rejected') {
        const { status, message } = await getRejection(inspection);
        expect({ status, message }).toEqual({
          status: expected.status,
          message: expect.stringMatching(expected.because),
        });
        return;
      }
      const facts = await inspection;
      expect(facts.contentType).toBe(expected.contentType);
      expect(Math.abs(facts.durationMs - expected.milliseconds)).toBeLessThanOrEqual(50);
      expect(facts.vbr).toBe(expected.file.includes('vbr'));
      if (expected.peaks === 'always' || tools.ffmpegPath) expect(facts.peaks).toHaveLength(200);
      else expect(facts.peaks).toBeNull();
    });
  });
});

describe('peaks', () => {
  it('peaks are 0 in silence, and half of full scale for a tone at half amplitude', async () => {
    expect(new Set(await peaksOf('silence.wav'))).toEqual(new Set([0]));
    for (const peak of await peaksOf('tone440.wav')) expect(Math.abs(peak - 127.5)).toBeLessThan(1);
  });

  it('peaks of a click track are high exactly at the clicks', async () => {
    const loud = (await peaksOf('clicks.wav')).flatMap((peak, i) => (peak > 100 ? [i] : []));
    expect(loud).toEqual([0, 20, 40, 60, 80, 100, 120, 140, 160, 180]);
  });

  const same = ['melody-s24.wav', 'melody-f32.wav', 'melody-ulaw.wav', 'melody.flac', 'melody-vbr.mp3'];
  const lossy = ['melody.opus', 'melody.webm', 'melody.ogg', 'melody-cbr.mp3'];

  it.concurrent.each([...same, ...lossy])('the peaks of %s match those of melody.wav', async (file) => {
    expect(meanDifference(await peaksOf('melody.wav'), await peaksOf(file))).toBeLessThan(9);
  });

  it.skipIf(!ffmpeg.ffmpegPath).concurrent.each([...lossy, 'melody.flac', 'melody.m4a'])(
    'the peaks of %s, decoded by ffmpeg, match those of melody.wav',
    async (file) => {
      expect(meanDifference(await peaksOf('melody.wav'), await peaksOf(file, ffmpeg))).toBeLessThan(9);
    },
  );

  function meanDifference(one: number[], other: number[]): number {
    return one.reduce((sum, peak, i) => sum + Math.abs(peak - other[i]!), 0) / one.length;
  }
});

describe('formats of melodies', () => {
  it.each(['melody.wav', 'melody-vbr.mp3', 'melody.m4a'])('accepts %s as a melody', async (file) => {
    await expect(inspectAudio(getTestAudioPath(file), melody, without)).resolves.toMatchObject({
      durationMs: 4800,
    });
  });

  it.each(['melody.ogg', 'melody.webm', 'melody.flac', 'melody.aac'])(
    'rejects %s as a melody',
    async (file) => {
      const refusal = await getRejection(inspectAudio(getTestAudioPath(file), melody, without));
      expect(refusal).toEqual({ status: 415, message: expect.stringContaining('MP3, WAV or M4A') });
    },
  );
});

describe('variable bit rates of MP3s', () => {
  // Inspects an MP3 whose first frame contains only a marker. All frames are alike (56 kbit/s, 32 kHz, mono),
  // so only the marker can show that the file is VBR.
  async function saying(marker: string, at: number) {
    const frame = Buffer.alloc(252);
    frame.set([0xff, 0xfb, 0x48, 0xc0]);
    const first = Buffer.from(frame);
    first.write(marker, at);
    const path = join(folder(), `${marker}.mp3`);
    await writeFile(path, Buffer.concat([first, ...Array.from({ length: 50 }, () => frame)]));
    return inspectAudioFile(path, recording, without);
  }

  it.each([
    ['Xing', 4 + 17, true],
    ['VBRI', 4 + 32, true],
    ['Info', 4 + 17, false],
  ])('reads from the %s header whether an MP3 has a variable bit rate', async (marker, at, vbr) => {
    const facts = await saying(marker, at);
    expect(facts).toMatchObject({ vbr, durationMs: 50 * 36 });
  });
});

describe('files that are too long', () => {
  const tooLong = { status: 400, message: 'This file is too long. The limit is 30 minutes.' };

  it('rejects an MP3 of ten silent hours as too long', async () => {
    // A frame of MPEG-2.5 at 8 kHz and 8 kbit/s. It lasts 72 ms and takes 72 bytes.
    const frame = Buffer.alloc(72);
    frame.set([0xff, 0xe3, 0x18, 0xc0]);
    const path = join(folder(), 'ten-hours.mp3');
    await writeFile(path, Buffer.alloc(500_000 * 72, frame));
    expect(await getRejection(inspectAudio(path, recording, without))).toEqual(tooLong);
  });

  it('rejects an M4A that is too long according to its index but not its header', async () => {
    const bytes = await readFile(getTestAudioPath('melody.m4a'));
    const firstDelta = bytes.indexOf('stts') + 16;
    bytes.writeUInt32BE(0x00ff_ffff, firstDelta);
    const path = join(folder(), 'index-says-hours.m4a');
    await writeFile(path, bytes);
    expect(await getRejection(inspectAudio(path, recording, without))).toEqual(tooLong);
  });

  it('rejects a WAV whose samples last longer than the limit', async () => {
    const bytes = await readFile(getTestAudioPath('melody.wav'));
    const path = join(folder(), 'long.wav');
    await writeFile(path, bytes);
    const refusal = await getRejection(inspectAudio(path, { maxSeconds: 3 }, without));
    expect(refusal).toEqual({ status: 400, message: expect.stringContaining('3 seconds') });
  });
});

describe('frames of MP3s', () => {
  const sent = async (...parts: Buffer[]) => {
    const path = join(folder(), 'sent.mp3');
    await writeFile(path, Buffer.concat(parts));
    return path;
  };
  const whole = () => readFile(getTestAudioPath('melody-cbr.mp3'));

  it('accepts an MP3 that starts with a cover picture', async () => {
    const picture = Buffer.alloc(50_000, 0xff);
    // ID3 sizes use seven bits per byte.
    const tag = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 50_000 >> 14, (50_000 >> 7) & 127, 50_000 & 127]);
    const facts = await inspectAudio(await sent(tag, picture, await whole()), recording, without);
    expect(facts).toMatchObject({ contentType: 'audio/mpeg', durationMs: 4800, vbr: false });
  });

  it('measures an MP3 by its frames and ignores other bytes between them', async () => {
    const bytes = await whole();
    const middle = bytes.indexOf(Buffer.from([0xff, 0xfb]), 20_000);
    const rubbish = Buffer.alloc(30_000, '\xff\xfbrubbish', 'latin1');
    const path = await sent(bytes.subarray(0, middle), rubbish, bytes.subarray(middle));
    const { durationMs } = await inspectAudio(path, recording, without);
    expect(Math.abs(durationMs - 4800)).toBeLessThanOrEqual(50);
  });

  it('rejects MPEG audio of layer II, which browsers do not play', async () => {
    const frame = Buffer.alloc(288);
    frame.set([0xff, 0xfd, 0x48, 0xc0]);
    const path = await sent(Buffer.alloc(288 * 100, frame));
    expect(await getRejection(inspectAudio(path, recording, without))).toEqual({
      status: 415,
      message: expect.stringContaining('can’t play the kind of audio'),
    });
  });
});

it('completes six concurrent inspections', async () => {
  const files = ['melody.wav', 'melody-cbr.mp3', 'melody.m4a', 'melody.webm', 'melody.ogg', 'melody.flac'];
  const facts = await Promise.all(
    files.map((file) => inspectAudio(getTestAudioPath(file), recording, ffmpeg)),
  );
  expect(facts.map(({ extension }) => extension)).toEqual(['wav', 'mp3', 'm4a', 'webm', 'ogg', 'flac']);
});

it('throws ENOENT for a missing file, not an error about its content', async () => {
  await expect(inspectAudio(join(folder(), 'none.wav'), recording, without)).rejects.toThrow(/ENOENT/);
});
