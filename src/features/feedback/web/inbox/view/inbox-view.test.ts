import { expect, test } from 'vitest';
import type { Recording } from '#features/recordings/contract.ts';
import {
  getFilterOptions,
  getFacets,
  needsAllPages,
  applyInboxView,
  getFilterLabel,
  DEFAULT_INBOX_VIEW,
} from './inbox-view.ts';

const melodies = new Map([
  [1, { title: 'Refuge', transmissionLevel: { id: 7, name: 'Open to All' } }],
  [2, { title: 'Dedication', transmissionLevel: { id: 8, name: 'Refuge' } }],
]);
const entry = (id: number, username: string, melodyId: number | null, isSnoozed = false) => {
  const recording = { id, melodyId, student: { username, firstName: username, lastName: null } } as Recording;
  return { recording, facets: getFacets(recording, melodies), isSnoozed };
};
const entries = [entry(1, 'Tashi', 1), entry(2, 'Ani', 2), entry(3, 'Tashi', null), entry(4, 'Ani', 1, true)];
const idsIn = (view: Partial<typeof DEFAULT_INBOX_VIEW>) =>
  applyInboxView({ ...DEFAULT_INBOX_VIEW, ...view }, entries).map(({ recording }) => recording.id);
const only = (part: Partial<typeof DEFAULT_INBOX_VIEW.selectedKeys>) => ({
  selectedKeys: { ...DEFAULT_INBOX_VIEW.selectedKeys, ...part },
});

test('hides snoozed recordings unless the view includes them', () => {
  expect(idsIn({})).toEqual([1, 2, 3]);
  expect(idsIn({ includesSnoozed: true })).toEqual([1, 2, 3, 4]);
});

test('sorts groups by name and keeps the order of recordings within a group', () => {
  expect(idsIn({ groupedBy: 'student', includesSnoozed: true })).toEqual([2, 4, 1, 3]);
  expect(idsIn({ groupedBy: 'melody', includesSnoozed: true })).toEqual([2, 3, 1, 4]);
  expect(idsIn({ groupedBy: 'level' })).toEqual([3, 1, 2]);
});

test('shows only recordings that match all selected filters', () => {
  expect(idsIn(only({ student: 'Tashi' }))).toEqual([1, 3]);
  expect(idsIn(only({ student: 'Tashi', level: '7' }))).toEqual([1]);
  expect(idsIn(only({ melody: '' }))).toEqual([3]);
  expect(needsAllPages(DEFAULT_INBOX_VIEW)).toBe(false);
  expect(needsAllPages({ ...DEFAULT_INBOX_VIEW, ...only({ melody: '' }) })).toBe(true);
});

test('the label of the filter button lists the selected filters', () => {
  const name = (part: object) => getFilterLabel({ ...DEFAULT_INBOX_VIEW, ...only(part) }, entries);
  expect(name({})).toBe('Filter');
  expect(name({ student: 'Ani', level: '8' })).toBe('Ani, Refuge');
  expect(getFilterOptions('melody', entries).map((each) => each.name)).toEqual([
    'Dedication',
    'No melody',
    'Refuge',
  ]);
});
