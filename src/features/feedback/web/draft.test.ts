import { expect, test } from 'vitest';
import { mergeDraft, packed, unpacked, type DeviceDraft } from './draft.ts';

const device = (text: string, more: Partial<DeviceDraft> = {}): DeviceDraft => ({
  text,
  marks: [],
  at: Date.parse('2026-11-20T10:00:00Z'),
  isOnServer: false,
  ...more,
});
const server = (text: string, updatedAt: string) => ({ recordingId: 1, text, marks: [], updatedAt });

test('what never arrived at the server is not lost', () => {
  expect(mergeDraft(device('typed offline'), undefined).text).toBe('typed offline');
  expect(mergeDraft(device('newer'), server('older', '2026-11-20T09:00:00Z')).text).toBe('newer');
});

test('what was written later in another browser counts', () => {
  expect(mergeDraft(device('older'), server('newer', '2026-11-20T11:00:00Z')).text).toBe('newer');
  const same = device('saved from here', { isOnServer: true });
  expect(mergeDraft(same, server('changed elsewhere', '2026-11-20T09:59:00Z')).text).toBe(
    'changed elsewhere',
  );
});

test('what was sent or emptied in another browser does not come back', () => {
  expect(mergeDraft(device('sent elsewhere', { isOnServer: true }), undefined)).toEqual({
    text: '',
    marks: [],
  });
});

test('of a recording that has gone, what the device has is all there is', () => {
  const saved = device('saved, and gone with it', { isOnServer: true });
  expect(mergeDraft(saved, undefined, true).text).toBe('saved, and gone with it');
  const later = server('changed elsewhere', '2026-11-20T11:00:00Z');
  expect(mergeDraft(saved, later, true).text).toBe('changed elsewhere');
});

test('a device that knows nothing takes what the server has', () => {
  expect(mergeDraft(null, server('from the phone', '2026-11-20T09:00:00Z')).text).toBe('from the phone');
});

test('what the device keeps is read again, also what an older version kept', () => {
  const draft = device('“Softer”', { marks: [{ start: 1, end: null, text: 'ཨ' }] });
  expect(unpacked(packed(draft))).toEqual(draft);
  expect(unpacked('just text')).toMatchObject({ text: 'just text', isOnServer: false });
  expect(unpacked('42')).toMatchObject({ text: '42' });
  expect(unpacked('')).toBeNull();
});
