import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type DraftOptions, openDraft } from './draft.ts';
import { draftNames, loadDraft, saveDraft } from './draft-storage.ts';

/** The device's storage; it can be full, or closed to pages. */
class Device {
  isFull = false;
  isClosed = false;
  getItem(key: string) {
    if (this.isClosed) throw new DOMException('', 'SecurityError');
    return (this as unknown as Record<string, string>)[key] ?? null;
  }
  setItem(key: string, text: string) {
    if (this.isFull || this.isClosed) throw new DOMException('', 'QuotaExceededError');
    (this as unknown as Record<string, string>)[key] = text;
  }
  removeItem(key: string) {
    if (this.isClosed) throw new DOMException('', 'SecurityError');
    Reflect.deleteProperty(this, key);
  }
}

let device: Device;
/** Nothing that the page remembers of one test is there in the next. */
let person = 0;
let user: string;
beforeEach(() => {
  device = new Device();
  user = `user ${(person += 1)}`;
  vi.stubGlobal('localStorage', device);
});
afterEach(() => vi.unstubAllGlobals());

type Song = { title: string };
const song: DraftOptions<Song> = {
  of: 'song 7',
  begin: (kept) => (typeof kept === 'object' && kept ? (kept as Song) : { title: kept ?? '' }),
  keep: (value) => (value.title === '' ? null : value),
};
const open = (more: Partial<DraftOptions<Song>> = {}, of = user) => openDraft(of, { ...song, ...more });
const type = (title: string) => {
  const draft = open();
  draft.change({ title }, song.keep);
  return draft;
};

test('what was typed is there again when the form is opened anew, for this person and this form only', () => {
  type('Refuge');
  expect(open().get()).toEqual({ title: 'Refuge' });
  expect(open({ of: 'song 8' }).get()).toEqual({ title: '' });
  expect(open({}, 'somebody else').get()).toEqual({ title: '' });
});

test('what is sent, given up or emptied is gone from the device', () => {
  type('Refuge').forget();
  expect(loadDraft(user, 'song 7')).toBeNull();
  type('Refuge');
  type('');
  expect(Object.keys(device).filter((key) => key.startsWith('draft '))).toEqual([]);
});

test('a full device is said to be so, and the page remembers; what it had before stays there', () => {
  type('Refuge');
  device.isFull = true;
  const draft = type('Refuge, and more');
  expect([draft.isSafe(), open().get()]).toEqual([false, { title: 'Refuge, and more' }]);
  expect(device.getItem(`draft ${user} song 7`)).toBe('{"title":"Refuge"}');
  device.isFull = false;
  draft.change({ title: 'All of it' }, song.keep);
  expect([draft.isSafe(), device.getItem(`draft ${user} song 7`)]).toEqual([true, '{"title":"All of it"}']);
});

test('a browser that keeps nothing for pages lets one type, send and forget', () => {
  device.isClosed = true;
  const draft = type('Refuge');
  expect([draft.isSafe(), open().get(), draftNames(user, 'song ')]).toEqual([
    false,
    { title: 'Refuge' },
    ['song 7'],
  ]);
  draft.forget();
  expect([draft.isSafe(), open().get()]).toEqual([true, { title: '' }]);
});

test('the drafts of one person are listed by their beginning', () => {
  saveDraft(user, 'song 1', { title: 'a' });
  saveDraft(user, 'story 1', { title: 'b' });
  saveDraft('somebody else', 'song 2', { title: 'c' });
  expect(draftNames(user, 'song ')).toEqual(['song 1']);
});
