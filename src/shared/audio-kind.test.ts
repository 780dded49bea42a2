import { readFile, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { audioExpectations, getTestAudioPath } from '#testing/audio-expectations.ts';
import {
  APPLE_LOSSLESS_MESSAGE,
  EMPTY_FILE_MESSAGE,
  VIDEO_FILE_MESSAGE,
  NOT_AUDIO_MESSAGE,
} from './audio-rejections.ts';
import { findAudioFileProblem } from '#web/audio-ui/upload/find-audio-file-problem.ts';

const getRejection = async (name: string) =>
  findAudioFileProblem(new Blob([await readFile(getTestAudioPath(name))]));

const taken = audioExpectations.filter(({ outcome }) => outcome === 'accepted');
const refused = audioExpectations.filter(({ outcome }) => outcome === 'rejected');

/** Files that begin like audio. Only the server, which parses more of a file, rejects them. */
const LEFT_TO_THE_SERVER = new Set([
  'trunc-melody-moovend.m4a',
  'm4a-claims-huge.m4a',
  'wav-rate-1hz.wav',
  'wav-rate-0.wav',
  'wav-65535ch.wav',
  'riff-html-polyglot.wav',
  'id3-big.mp3',
  'header-only.wav',
]);

test('audioExpectations lists every audio file in src/testing/audio', async () => {
  const known = new Set(audioExpectations.map(({ file }) => file));
  const there = await readdir(dirname(getTestAudioPath('melody.wav')));
  expect(
    there.filter((name) => /\.(wav|mp3|m4a|mp4|aac|webm|ogg|opus|flac)$/.test(name) && !known.has(name)),
  ).toEqual([]);
});

test.each(taken)('the browser accepts $file, which the server accepts too', async ({ file }) => {
  expect(await getRejection(file)).toBeNull();
});

test.each(refused)(
  'the browser rejects $file unless only the server can detect the problem',
  async ({ file }) => {
    const sentence = await getRejection(file);
    if (LEFT_TO_THE_SERVER.has(file)) expect(sentence).toBeNull();
    else expect(sentence).not.toBeNull();
  },
);

test.each([
  ['video.mp4', VIDEO_FILE_MESSAGE],
  ['melody-alac.m4a', APPLE_LOSSLESS_MESSAGE],
  ['random.mp3', NOT_AUDIO_MESSAGE],
  ['png-named.mp3', 'This file is a picture, not audio. Please choose an MP3, WAV or M4A file.'],
  ['html-named.wav', 'This file is a web page, not audio. Please choose an MP3, WAV or M4A file.'],
  ['empty.wav', EMPTY_FILE_MESSAGE],
])('the browser rejects %s with a message that gives the reason', async (file, sentence) => {
  expect(await getRejection(file)).toBe(sentence);
});
