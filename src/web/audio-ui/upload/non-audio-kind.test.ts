import { expect, test } from 'vitest';
import { detectNonAudioKind } from './non-audio-kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'picture'],
  ['\x89PNG\r\n\x1a\n', 'picture'],
  ['GIF89a', 'picture'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'picture'],
  ['\0\0\0\x18ftypheic', 'picture'],
  ['%PDF-1.7', 'document'],
  ['<!DOCTYPE html><html>', 'web page'],
  ['\xef\xbb\xbf  <html>', 'web page'],
  ['<?xml version="1.0"?><svg>', 'web page'],
  ['PK\x03\x04\x14', 'archive'],
  ['\x1f\x8b\x08', 'archive'],
])('a file that begins with %j is of the kind “%s”', (head, kind) => {
  expect(detectNonAudioKind(bytes(head))).toBe(kind);
});

test.each([
  '',
  'RIFF',
  'RIFF\x10\0\0\0WAVEfmt ',
  'ID3\x04',
  '\xff\xfb\x90',
  '\xff\xf1\x50',
  '\x1a\x45\xdf\xa3',
  'OggS',
  'fLaC',
  'words',
  '\0\0\0\x18ftypM4A ',
  '\0\0\0\x18ftypisom',
])('does not recognize a file that begins with %j as a non-audio kind', (head) => {
  expect(detectNonAudioKind(bytes(head))).toBeNull();
});
