import { expect, test } from 'vitest';
import { EMPTY_FILE_MESSAGE, NOT_AUDIO_MESSAGE } from '#shared/audio-rejections.ts';
import { createTone } from '#testing/tone.ts';
import { findMelodyAudioProblem } from './melody-audio-problem.ts';

const file = (content: string | Uint8Array<ArrayBuffer>) => new Blob([content]);

test('accepts a WAV file', async () => {
  expect(await findMelodyAudioProblem(file(new Uint8Array(createTone(1))))).toBeNull();
});

test.each([
  ['an empty file', file(''), EMPTY_FILE_MESSAGE],
  ['a text file', file('no sound at all'), NOT_AUDIO_MESSAGE],
  [
    'a FLAC file',
    file('fLaC and more'),
    'This kind of audio file isn’t supported. Please choose MP3, WAV or M4A.',
  ],
  ['a picture', file('\x89PNG'), expect.any(String)],
])('rejects %s before it is sent', async (_, blob, sentence) => {
  expect(await findMelodyAudioProblem(blob)).toEqual(sentence);
});

test('rejects a file that can no longer be read', async () => {
  const gone = file('was here');
  Object.defineProperty(gone, 'slice', {
    value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
  });
  expect(await findMelodyAudioProblem(gone)).toBe('This file can’t be read. Please choose it again.');
});
