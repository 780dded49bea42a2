import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FormDraftOptions, openFormDraft } from './form-draft.ts';
import { listDraftNames, loadDraft, saveDraft } from './draft-storage.ts';

/** Fake localStorage that can be full or blocked. */
class FakeStorage {
  isFull = false;
  isBlocked = false;
  getItem(key: string) {
    if (this.isBlocked) throw new DOMException('', 'SecurityError');
    return (this as unknown as Record<string, string>)[key] ?? null;
  }
  setItem(key: string, text: string) {
    if (this.isFull || this.isBlocked) throw new DOMException('', 'QuotaExceededError');
    (this as unknown as Record<string, string>)[key] = text;
  }
  removeItem(key: string) {
    if (this.isBlocked) throw new DOMException('', 'SecurityError');
    Reflect.deleteProperty(this, key);
  }
}

let device: FakeStorage;
/** Number of users so far. Each test has its own user, because the page keeps unstored drafts in memory. */
let person = 0;
let user: string;
beforeEach(() => {
  device = new FakeStorage();
  user = `user ${(person += 1)}`;
  vi.stubGlobal('localStorage', device);
});
afterEach(() => vi.unstubAllGlobals());

type Song = { title: string };
const song: FormDraftOptions<Song> = {
  name: 'song 7',
  restore: (kept) => (typeof kept === 'object' && kept ? (kept as Song) : { title: kept ?? '' }),
  toStored: (value) => (value.title === '' ? null : value),
};
const open = (more: Partial<FormDraftOptions<Song>> = {}, of = user) =>
  openFormDraft(of, { ...song, ...more });
const type = (title: string) => {
  const draft = open();
  draft.change({ title }, song.toStored);
  return draft;
};

test('restores a draft only for its own user and form', () => {
  type('Refuge');
  expect(open().get()).toEqual({ title: 'Refuge' });
  expect(open({ name: 'song 8' }).get()).toEqual({ title: '' });
  expect(open({}, 'somebody else').get()).toEqual({ title: '' });
});

test('deletes a draft from the device when it is sent, discarded or emptied', () => {
  type('Refuge').forget();
  expect(loadDraft(user, 'song 7')).toBeNull();
  type('Refuge');
  type('');
  expect(Object.keys(device).filter((key) => key.startsWith('draft '))).toEqual([]);
});

test('if the device is full, it keeps the earlier draft and the page keeps the change', () => {
  type('Refuge');
  device.isFull = true;
  const draft = type('Refuge, and more');
  expect([draft.isSafe(), open().get()]).toEqual([false, { title: 'Refuge, and more' }]);
  expect(device.getItem(`draft ${user} song 7`)).toBe('{"title":"Refuge"}');
  device.isFull = false;
  draft.change({ title: 'All of it' }, song.toStored);
  expect([draft.isSafe(), device.getItem(`draft ${user} song 7`)]).toEqual([true, '{"title":"All of it"}']);
});

test('if the browser blocks storage, drafts stay in the page’s memory', () => {
  device.isBlocked = true;
  const draft = type('Refuge');
  expect([draft.isSafe(), open().get(), listDraftNames(user, 'song ')]).toEqual([
    false,
    { title: 'Refuge' },
    ['song 7'],
  ]);
  draft.forget();
  expect([draft.isSafe(), open().get()]).toEqual([true, { title: '' }]);
});

test('lists the user’s drafts whose names start with the prefix', () => {
  saveDraft(user, 'song 1', { title: 'a' });
  saveDraft(user, 'story 1', { title: 'b' });
  saveDraft('somebody else', 'song 2', { title: 'c' });
  expect(listDraftNames(user, 'song ')).toEqual(['song 1']);
});
