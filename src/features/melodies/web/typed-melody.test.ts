import { expect, test } from 'vitest';
import type { Melody } from '../contract.ts';
import { changedIn, firstOf, missingIn, tooLongIn, typedOf, uncorrected } from './typed-melody.ts';

const melody: Melody = {
  id: 1,
  title: 'Refuge',
  description: null,
  transmissionLevelId: 2,
  transmissionLevel: { id: 2, name: 'Refuge' },
  vimeoUrl: null,
  melodyText: null,
  audioUrl: null,
  audioCopies: [],
  thumbnailUrl: null,
  duration: null,
  createdAt: '2026-11-21T00:00:00.000Z',
};
const nothing = typedOf(null);
const typed = typedOf(melody);

test('a new melody needs a title and a level, one that is there only a title', () => {
  expect(missingIn({ ...nothing, title: ' ' }, null)).toEqual({
    title: 'Title is required',
    transmissionLevelId: 'Transmission level is required',
  });
  expect(missingIn({ ...typed, transmissionLevelId: '' }, melody)).toEqual({});
  expect(missingIn({ ...typed, title: '' }, melody)).toEqual({ title: 'Title is required' });
});

test('only what was changed is sent; no level is no change of it', () => {
  expect(changedIn(typed, typed)).toEqual({});
  expect(changedIn({ ...typed, transmissionLevelId: '' }, typed)).toEqual({});
  expect(changedIn({ ...typed, transmissionLevelId: '3', title: '' }, typed)).toEqual({
    transmissionLevelId: '3',
    title: '',
  });
});

test('a text that is too long is found by what would be sent of it, and comes in its place on the page', () => {
  const long = {
    title: `${'a'.repeat(200)} `,
    description: 'a'.repeat(5_001),
    melodyText: 'a'.repeat(200_000),
    vimeoUrl: `https://example.org/${'a'.repeat(2_000)}`,
  };
  expect(tooLongIn({ ...typed, ...long })).toEqual(['description', 'vimeoUrl']);
  expect(firstOf({ thumbnail: 'Too large' }, ['vimeoUrl', 'description'])).toBe('description');
  expect(firstOf({ thumbnail: 'Too large', audioFile: 'Too large' }, ['description'])).toBe('audioFile');
  expect(firstOf({ title: 'Title is required' }, ['description'])).toBe('title');
  expect(firstOf({}, [])).toBeUndefined();
});

test('what is corrected is no longer wrong; what was not touched, and what is missing still, is', () => {
  const wrong = { title: 'Title is required', audioFile: 'Too large', transmissionLevelId: 'Is required' };
  const from = { ...typed, title: '', transmissionLevelId: '' };
  const named = { ...from, title: 'Refuge' };
  expect(uncorrected(wrong, { from, to: named }, null)).toEqual({ ...wrong, title: undefined });
  expect(uncorrected(wrong, { from: named, to: from }, null)).toEqual(wrong);
  expect(uncorrected({}, { from: named, to: from }, null)).toEqual({ title: undefined });
});
