import { expect, test } from 'vitest';
import type { Melody } from '../contract.ts';
import { getChangedMelodyFields, toMelodyFormValues } from './melody-form-values.ts';

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
const typed = toMelodyFormValues(melody);

test('returns only changed fields, and an empty level does not count as a change', () => {
  expect(getChangedMelodyFields(typed, typed)).toEqual({});
  expect(getChangedMelodyFields({ ...typed, transmissionLevelId: '' }, typed)).toEqual({});
  expect(getChangedMelodyFields({ ...typed, transmissionLevelId: '3', title: '' }, typed)).toEqual({
    transmissionLevelId: '3',
    title: '',
  });
});
