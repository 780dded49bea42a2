import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isMediaFileName } from '#server/media/layout.ts';
import { createRandomFileName } from '#server/media/media-repository.ts';
import { labelFile, parseLabel, type RecordingLabel } from './file-label.ts';

const label: RecordingLabel = {
  studentId: randomUUID(),
  clientId: randomUUID(),
  melodyId: 7,
  submittedAt: new Date('2026-11-27T21:14:03.456Z'),
};

const nameWith = (given: Partial<RecordingLabel>) => {
  const row = { name: createRandomFileName('webm'), slot: 'recording-audio' } as const;
  const rest = { contentType: 'audio/webm', size: 1, sha256: '' };
  return labelFile({ path: '', row: { ...row, ...rest } }, { ...label, ...given }).row.name;
};

test.each([{}, { melodyId: null }, { melodyId: 2_147_483_647 }])(
  'a file’s name contains the label of its recording: %j',
  (given) => {
    const name = nameWith(given);
    expect(isMediaFileName(name)).toBe(true);
    expect(name.length).toBeLessThanOrEqual(100);
    expect(parseLabel(name)).toEqual({ ...label, ...given });
  },
);

test('a student whose id is not a UUID gets an unlabelled name', () => {
  const name = nameWith({ studentId: 'tashi' });
  expect(name).toMatch(/^[0-9a-f]{32}\.webm$/);
  expect(parseLabel(name)).toBeNull();
});
