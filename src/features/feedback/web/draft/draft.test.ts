import { expect, test } from 'vitest';
import { digestOf } from '../../draft-digest.ts';
import { createDeviceCopy, type Shelf } from './device-copy.ts';
import { mergeDraft, unpacked, type DeviceDraft, type Written } from './draft.ts';

const HOUR_AHEAD = '2026-11-20T11:00:00Z';
const HOUR_BEHIND = '2026-11-20T09:00:00Z';

const words = (text: string): Written => ({ text, marks: [] });
const device = (text: string, more: Partial<DeviceDraft> = {}): DeviceDraft => ({
  ...words(text),
  isOnServer: false,
  basedOn: [],
  ...more,
});
const server = (text: string, updatedAt = HOUR_BEHIND) => ({
  recordingId: 1,
  text,
  marks: [],
  updatedAt,
  digest: digestOf(words(text)),
});
const only = (text: string) => ({ written: words(text), besides: null });

test('what never arrived at the server is not lost', () => {
  expect(mergeDraft(device('typed offline'), undefined)).toEqual(only('typed offline'));
});

test.each([HOUR_AHEAD, HOUR_BEHIND])('no clock decides between device and server (%s)', (updatedAt) => {
  const later = device('First words, and more', { basedOn: [words('First words')] });
  expect(mergeDraft(later, server('First words', updatedAt))).toEqual(only('First words, and more'));
  expect(mergeDraft(later, server('Typed elsewhere', updatedAt))).toEqual({
    written: words('Typed elsewhere'),
    besides: words('First words, and more'),
  });
});

test('the same on both is no difference, nor is an empty form', () => {
  expect(mergeDraft(device('arrived unanswered'), server('arrived unanswered'))).toEqual(
    only('arrived unanswered'),
  );
  expect(mergeDraft(device(''), server('from the phone'))).toEqual(only('from the phone'));
  expect(mergeDraft(device('', { basedOn: [words('deleted')] }), server('deleted'))).toEqual(only(''));
});

test('what was changed in another browser after it was saved from here counts', () => {
  const same = device('saved from here', { isOnServer: true });
  expect(mergeDraft(same, server('changed elsewhere'))).toEqual(only('changed elsewhere'));
});

test('what was sent or emptied in another browser does not come back', () => {
  expect(mergeDraft(device('sent elsewhere', { isOnServer: true }), undefined)).toEqual(only(''));
});

test('of a recording that has gone, what the device has is all there is', () => {
  const saved = device('saved, and gone with it', { isOnServer: true });
  expect(mergeDraft(saved, undefined, true)).toEqual(only('saved, and gone with it'));
  expect(mergeDraft(saved, server('changed elsewhere'), true)).toEqual(only('changed elsewhere'));
});

test('a device that knows nothing takes what the server has', () => {
  expect(mergeDraft(null, server('from the phone'))).toEqual(only('from the phone'));
});

test('what the device keeps is read again, also what an older version kept', () => {
  const draft = device('“Softer”', { marks: [{ start: 1, end: null, text: 'ཨ' }] });
  expect(unpacked(draft)).toEqual(draft);
  expect(unpacked({ text: 'older', marks: [], at: 1, isOnServer: false })).toEqual(device('older'));
  expect(unpacked('just text')).toMatchObject({ text: 'just text', isOnServer: false });
  expect(unpacked('42')).toMatchObject({ text: '42' });
  expect(unpacked(null)).toBeNull();
});

function aShelf() {
  const kept = new Map<string, object>();
  const shelf: Shelf = {
    read: (of) => kept.get(of) ?? null,
    keep(of, value) {
      if (value === null) kept.delete(of);
      else kept.set(of, value);
      return true;
    },
  };
  return { shelf, kept };
}

test('what was typed after the last save goes on from it, also when a save arrived unanswered', () => {
  const { shelf } = aShelf();
  const copy = createDeviceCopy(shelf, 1, undefined, false);
  copy.keep(words('First'), false);
  copy.noteSending(words('First'));
  copy.keep(words('First words'), false);
  const again = (text: string) => createDeviceCopy(shelf, 1, text ? server(text) : undefined, false);
  expect(again('').written).toEqual(words('First words'));
  expect([again('First').written, again('First').besides()]).toEqual([words('First words'), []]);
});

test('what lies beside the draft of another browser stays until it is put away', () => {
  const { shelf, kept } = aShelf();
  createDeviceCopy(shelf, 1, server('First'), false).keep(words('First, from here'), false);
  const open = () => createDeviceCopy(shelf, 1, server('First, from there'), false);
  expect([open().written, open().besides()]).toEqual([
    words('First, from there'),
    [words('First, from here')],
  ]);
  open().keep(words('First, from there, and on'), true);
  const copy = open();
  expect(copy.besides()).toEqual([words('First, from here')]);
  expect(copy.putAway(copy.besides()[0]!)).toEqual([]);
  expect(open().besides()).toEqual([]);
  copy.forget();
  expect([...kept]).toEqual([]);
});

test('a device that is full keeps its copy where it was', () => {
  const { shelf } = aShelf();
  createDeviceCopy(shelf, 1, undefined, false).keep(words('from here'), false);
  const full: Shelf = { ...shelf, keep: () => false };
  expect(createDeviceCopy(full, 1, server('from there'), false).besides()).toEqual([words('from here')]);
  expect(createDeviceCopy(shelf, 1, server('from there'), false).besides()).toEqual([words('from here')]);
});

test('what another browser has saved meanwhile lies beside, and nothing is saved over it before one has chosen', () => {
  const { shelf } = aShelf();
  const copy = createDeviceCopy(shelf, 1, server('First'), false);
  copy.keep(words('First, from here'), false);
  copy.noteSending(words('First, from here'));
  expect(copy.meet(words('First, from there'))).toBe(true);
  expect([copy.isOvertaken(), copy.besides()]).toEqual([true, [words('First, from there')]]);
  // After a reload what the server has is in the form, and is not shown beside itself.
  const again = createDeviceCopy(shelf, 1, server('First, from there'), false);
  expect([again.written, again.besides()]).toEqual([words('First, from there'), [words('First, from here')]]);

  copy.putAway(copy.besides()[0]!);
  expect([copy.isOvertaken(), copy.digests()]).toEqual([false, [digestOf(words('First, from there'))]]);
});

test('one that is taken into the form in place of one’s own leaves that beside', () => {
  const copy = createDeviceCopy(aShelf().shelf, 1, undefined, false);
  copy.keep(words('from here'), false);
  copy.meet(words('from there'));
  expect(copy.swap(copy.besides()[0]!, words('from here'))).toEqual([words('from here')]);
  expect([copy.isOvertaken(), copy.digests()]).toEqual([false, [digestOf(words('from there'))]]);
});

test('what the server has from here, though nobody heard so, overtakes nothing', () => {
  const copy = createDeviceCopy(aShelf().shelf, 1, server('First'), false);
  copy.keep(words('First, and'), false);
  copy.noteSending(words('First, and'));
  copy.keep(words('First, and more'), false);
  for (const known of ['First', 'First, and', 'First, and more']) expect(copy.meet(words(known))).toBe(false);
  expect(copy.digests()).toEqual([digestOf(words('First')), digestOf(words('First, and'))]);
});
