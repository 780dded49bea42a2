import { expect, test } from 'vitest';
import { APPLE_LOSSLESS_MESSAGE, VIDEO_FILE_MESSAGE, NOT_AUDIO_MESSAGE } from '#shared/audio-rejections.ts';
import { findAudioFileProblem } from './find-audio-file-problem.ts';

const bytes = (text: string) => new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))]);

test.each([
  ['plain text', 'Om mani padme hum\n'],
  ['a QuickTime video', '\0\0\0\x14ftypqt  \0\0\0\0'],
  ['Matroska', '\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska'],
  ['AVI', 'RIFF\x10\0\0\0AVI LIST'],
  ['AIFF', 'FORM\0\0\x10\0AIFFCOMM'],
  ['AMR', '#!AMR\n'],
  ['Windows Media', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  ['a program', '\x7fELF\x02\x01'],
  ['a file of zeros', '\0'.repeat(10_000)],
])('rejects %s before sending', async (_, head) => {
  expect(await findAudioFileProblem(bytes(head))).toBe(NOT_AUDIO_MESSAGE);
});

test.each([
  ['WebM', '\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm', '\x83\x81\x01\x86\x85V_VP9'],
  ['Ogg', 'OggS\0\x02', '\x80theora\x03\x02\x01'],
])('rejects %s before sending only if it contains a video track', async (_, head, track) => {
  expect(await findAudioFileProblem(bytes(`${head}${'\0'.repeat(300)}${track}`))).toBe(VIDEO_FILE_MESSAGE);
  expect(await findAudioFileProblem(bytes(head))).toBeNull();
});

const box = (type: string, content: string) =>
  `${String.fromCharCode(...new Uint8Array(new Uint32Array([content.length + 8]).buffer).reverse())}${type}${content}`;
const track = (handler: string, codec: string) =>
  box(
    'trak',
    box(
      'mdia',
      box('hdlr', `\0\0\0\0\0\0\0\0${handler}`) +
        box('minf', box('stbl', box('stsd', `\0\0\0\0\0\0\0\x01${box(codec, '')}`))),
    ),
  );
const mp4 = (...tracks: string[]) =>
  bytes(
    box('ftyp', 'isom\0\0\0\0') +
      box('free', 'x'.repeat(50)) +
      box('mdat', 'y'.repeat(999)) +
      box('moov', tracks.join('')),
  );

test('rejects an MP4 only if it certainly contains video or Apple Lossless', async () => {
  expect(await findAudioFileProblem(mp4(track('soun', 'mp4a')))).toBeNull();
  expect(await findAudioFileProblem(mp4(track('soun', 'mp4a'), track('vide', 'avc1')))).toBe(
    VIDEO_FILE_MESSAGE,
  );
  // A JPEG track may be a chapter's image, so the server decides.
  expect(await findAudioFileProblem(mp4(track('soun', 'mp4a'), track('vide', 'jpeg')))).toBeNull();
  expect(await findAudioFileProblem(mp4(track('soun', 'alac')))).toBe(APPLE_LOSSLESS_MESSAGE);
  expect(await findAudioFileProblem(bytes(box('ftyp', 'isom\0\0\0\0')))).toBeNull();
});

test('does not reject an MP4 whose boxes declare wrong sizes', async () => {
  const head = box('ftyp', 'isom\0\0\0\0');
  for (const size of ['\0\0\0\0', '\0\0\0\x03', '\0\0\0\x01', '\xff\xff\xff\xff'])
    expect(await findAudioFileProblem(bytes(`${head}${size}mdat${'\0'.repeat(40)}`))).toBeNull();
});
