import { expect, test } from 'vitest';
import type { Melody } from '../contract.ts';
import { getChangedFields, toTypedMelody } from './typed-melody.ts';

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
const typed = toTypedMelody(melody);

test('returns only changed fields, and an empty level does not count as a change', () => {
  expect(getChangedFields(typed, typed)).toEqual({});
  expect(getChangedFields({ ...typed, transmissionLevelId: '' }, typed)).toEqual({});
  expect(getChangedFields({ ...typed, transmissionLevelId: '3', title: '' }, typed)).toEqual({
    transmissionLevelId: '3',
    title: '',
  });
});
