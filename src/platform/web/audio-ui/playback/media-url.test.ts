import { expect, test } from 'vitest';
import { audioFileUrl, imageFileUrl } from './media-url.ts';

test('a stored value that begins with a slash is used as it is, any other is the name of a file', () => {
  expect(audioFileUrl('/songs/refuge.mp3')).toBe('/songs/refuge.mp3');
  expect(imageFileUrl('/pictures/tara.jpg')).toBe('/pictures/tara.jpg');
  expect(audioFileUrl('0af3.m4a')).toBe('/api/files/0af3.m4a?type=audio');
  expect(imageFileUrl('0af3.webp')).toBe('/api/files/0af3.webp?type=image');
  expect(audioFileUrl('a b/c?d.mp3')).toBe('/api/files/a%20b%2Fc%3Fd.mp3?type=audio');
});
