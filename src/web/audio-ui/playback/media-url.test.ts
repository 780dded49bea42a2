import { expect, test, vi } from 'vitest';

vi.stubGlobal('navigator', {});
const { getImageUrl, chooseSoundUrl } = await import('./media-url.ts');
const { setAudioQuality } = await import('#web/audio/sound-choice.ts');

const urlOf = (name: string) => chooseSoundUrl({ name, copies: [] });

test('uses a stored value as a URL if it begins with a slash, or else as a file name', () => {
  expect(urlOf('/songs/refuge.mp3')).toBe('/songs/refuge.mp3');
  expect(getImageUrl('/pictures/tara.jpg')).toBe('/pictures/tara.jpg');
  expect(urlOf('0af3.m4a')).toBe('/api/files/0af3.m4a?type=audio');
  expect(getImageUrl('0af3.webp')).toBe('/api/files/0af3.webp?type=image');
  expect(urlOf('a b/c?d.mp3')).toBe('/api/files/a%20b%2Fc%3Fd.mp3?type=audio');
});

test('the URL of a copy contains the original’s name and the kind of copy', () => {
  const sound = { name: '0af3.wav', copies: ['small', 'full'] as const };
  expect(chooseSoundUrl(sound)).toBe('/api/files/0af3.wav?type=audio&copy=full');
  setAudioQuality('small');
  expect(chooseSoundUrl(sound)).toBe('/api/files/0af3.wav?type=audio&copy=small');
});
