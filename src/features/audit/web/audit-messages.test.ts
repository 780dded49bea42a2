import { AUDITED_ACTIONS } from '#shared/kinds.ts';
import { expect, test } from 'vitest';
import { formatAuditMessage } from './audit-messages.ts';

const messageOf = (
  action: (typeof AUDITED_ACTIONS)[number],
  subjectName: string,
  detail: string | null = null,
  count = 1,
) =>
  formatAuditMessage({
    id: 1,
    at: '2026-11-21T00:00:00.000Z',
    actorName: 'Khandro-la',
    action,
    subjectName,
    detail,
    count,
  });

test('describes an audited action as a sentence with the person and the level', () => {
  expect(messageOf('level-granted', 'Tashi Dolma', 'Refuge')).toBe(
    'Khandro-la granted Refuge to Tashi Dolma',
  );
  expect(messageOf('level-revoked', 'Tashi Dolma', 'Refuge')).toBe(
    'Khandro-la revoked Refuge from Tashi Dolma',
  );
  expect(messageOf('user-invited', 'Tashi Dolma', 'Open to All, Refuge')).toBe(
    'Khandro-la invited Tashi Dolma, with Open to All, Refuge',
  );
  expect(messageOf('request-approved', 'Tashi Dolma')).toBe(
    'Khandro-la approved the request from Tashi Dolma',
  );
});

test('distinguishes renaming a level from changing its description', () => {
  expect(messageOf('level-changed', 'Refuge', 'Going for Refuge')).toBe(
    'Khandro-la renamed the level Refuge to Going for Refuge',
  );
  expect(messageOf('level-changed', 'Refuge')).toBe('Khandro-la changed the settings of the level Refuge');
});

test('every audited action has a message', () => {
  for (const action of AUDITED_ACTIONS)
    expect(messageOf(action, 'X', 'Y')).toMatch(/^Khandro-la [a-z]+ed? ./);
});

test('a passkey message shows the passkey’s name, or “all passkeys” if there is none', () => {
  expect(messageOf('passkey-added', 'Khandro-la', 'My phone')).toBe(
    'Khandro-la added the passkey My phone to the account of Khandro-la',
  );
  expect(messageOf('passkey-removed', 'Tashi Dolma')).toBe(
    'Khandro-la removed all passkeys from the account of Tashi Dolma',
  );
});

test('describes a password reset as a new password chosen using an emailed link', () => {
  expect(messageOf('password-reset', 'Khandro-la')).toBe(
    'Khandro-la chose a new password using an emailed link',
  );
});

test('describes a bulk action in one sentence with the number of people', () => {
  expect(messageOf('user-invited', 'Tashi Dolma', 'Open to All', 1_113)).toBe(
    'Khandro-la invited 1,113 people, with Open to All',
  );
  expect(messageOf('level-granted', 'Tashi Dolma', 'Refuge', 6)).toBe(
    'Khandro-la granted Refuge to 6 people',
  );
  expect(messageOf('user-disabled', 'Tashi Dolma', null, 2)).toBe(
    'Khandro-la disabled the accounts of 2 people',
  );
  expect(messageOf('mail-passed-on', 'Tashi Dolma', null, 145)).toBe(
    'Khandro-la passed on the emails to 145 people',
  );
});
