import { expect, test } from 'vitest';
import { MAX_RECORDING_SECONDS, RECORDING_SAMPLE_RATE } from './recording-format.ts';
import { encodeWav } from './wav.ts';

test('the header declares 16-bit mono at 32 kHz', async () => {
  const wav = encodeWav([Int16Array.of(1, -2), Int16Array.of(300)]);
  const bytes = new Uint8Array(await wav.arrayBuffer());
  expect(wav.type).toBe('audio/wav');
  expect(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(
    [
      '52494646', // RIFF
      '2a000000', // 42 bytes follow
      '57415645', // WAVE
      '666d7420', // fmt
      '10000000', // 16 bytes
      '0100', // PCM
      '0100', // one channel
      '007d0000', // 32,000 frames a second
      '00fa0000', // 64,000 bytes a second
      '0200', // 2 bytes a frame
      '1000', // 16 bits
      '64617461', // data
      '06000000', // 6 bytes
      '0100feff2c01',
    ].join(''),
  );
});

test('a recording of two minutes has exactly 7,680,044 bytes', () => {
  expect(encodeWav([new Int16Array(MAX_RECORDING_SECONDS * RECORDING_SAMPLE_RATE)]).size).toBe(7_680_044);
});

test('an empty recording becomes a WAV file with only a header', () => {
  expect(encodeWav([]).size).toBe(44);
});
