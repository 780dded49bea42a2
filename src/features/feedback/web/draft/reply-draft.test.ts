import { expect, test } from 'vitest';
import type { Draft } from '#features/feedback/contract.ts';
import type { WrittenReply } from './written-reply.ts';
import {
  getBaseRevisions,
  createReplyDraft,
  editDraft,
  addConflictingVersion,
  EMPTY_REPLY_DRAFT,
  toStoredDraft,
  discardVersion,
  type ReplyDraft,
  confirmRevision,
  addUnconfirmedRevision,
  swapVersion,
} from './reply-draft.ts';

const HOUR_AHEAD = '2026-11-20T11:00:00Z';
const HOUR_BEHIND = '2026-11-20T09:00:00Z';

const words = (text: string): WrittenReply => ({ text, marks: [] });
const server = (text: string, revision = text, updatedAt = HOUR_BEHIND): Draft => ({
  recordingId: 1,
  isAnswered: false,
  text,
  marks: [],
  updatedAt,
  revision,
});
const buildEditedDraft = (text: string, more: Partial<ReplyDraft> = {}) => ({
  ...editDraft(EMPTY_REPLY_DRAFT, words(text)),
  ...more,
});
/**
 * Returns the texts that the teacher sees: the text in the form, followed by the texts of the other versions.
 */
const seen = ({ now, besides }: ReplyDraft) => [now.text, ...besides.map(({ text }) => text)];
const begin = (device: ReplyDraft | null, there?: Draft, isGone = false) =>
  seen(createReplyDraft(device, there, isGone));
/** Stores a draft on the device and reloads it. */
const reloadDraft = (draft: ReplyDraft, there?: Draft) => {
  const kept = toStoredDraft(draft);
  const read = kept && (JSON.parse(JSON.stringify(kept)) as ReplyDraft);
  return createReplyDraft(read, there, false);
};

test('restores text that the device stored but never sent to the server', () => {
  expect(begin(buildEditedDraft('typed offline'))).toEqual(['typed offline']);
});

test.each([HOUR_AHEAD, HOUR_BEHIND])(
  'ignores clocks when merging the device’s and server’s drafts (server at %s)',
  (updatedAt) => {
    const later = buildEditedDraft('First words, and more', { known: 'first' });
    expect(begin(later, server('First words', 'first', updatedAt))).toEqual(['First words, and more']);
    expect(begin(later, server('Typed elsewhere', 'elsewhere', updatedAt))).toEqual([
      'Typed elsewhere',
      'First words, and more',
    ]);
  },
);

test('shows one version if the device’s text equals the server’s or is empty', () => {
  expect(
    begin(buildEditedDraft('arrived unanswered'), server('arrived unanswered', 'by whatever way')),
  ).toEqual(['arrived unanswered']);
  expect(begin(buildEditedDraft(''), server('from the phone'))).toEqual(['from the phone']);
  expect(begin(buildEditedDraft('', { known: 'deleted' }), server('deleted'))).toEqual(['']);
});

test('a newer draft on the server replaces text that was already saved', () => {
  const same = confirmRevision(buildEditedDraft('saved from here'), 'other');
  expect(begin({ ...same, isOnServer: true }, server('changed elsewhere'))).toEqual(['changed elsewhere']);
});

test('a draft sent or emptied in another browser does not come back', () => {
  expect(begin(buildEditedDraft('sent elsewhere', { isOnServer: true }))).toEqual(['']);
});

test('the device’s draft remains if the recording and the server’s draft are gone', () => {
  const there = buildEditedDraft('saved, and gone with it', { isOnServer: true });
  expect(begin(there, undefined, true)).toEqual(['saved, and gone with it']);
  expect(begin(there, server('changed elsewhere'), true)).toEqual(['changed elsewhere']);
});

test('a device without a draft uses the server’s draft', () => {
  expect(begin(null, server('from the phone'))).toEqual(['from the phone']);
  expect(begin(null)).toEqual(['']);
});

test('each edit creates a new revision, even with the same text', () => {
  const [first, second] = [
    buildEditedDraft('Softer'),
    editDraft(buildEditedDraft('Softer'), words('Softer')),
  ];
  expect(first.now.revision).toMatch(/^[0-9a-f]{8}-/);
  expect(first.now.revision).not.toBe(second.now.revision);
});

test('a save that reaches the server after a reload is recognized as this device’s own', () => {
  const left = addUnconfirmedRevision(buildEditedDraft('typed'), 'on its way');
  const reloaded = editDraft(reloadDraft(left), words('typed, and more'));
  expect(getBaseRevisions(reloaded)).toContain('on its way');
  expect(addConflictingVersion(reloaded, server('typed', 'on its way'))).toBe(reloaded);
});

test('later edits are based on a save that arrived but whose response was lost', () => {
  const first = addUnconfirmedRevision(buildEditedDraft('First'), 'sent');
  const draft = editDraft(first, words('First words'));
  expect(seen(reloadDraft(draft))).toEqual(['First words']);
  expect(seen(reloadDraft(draft, server('First', 'sent')))).toEqual(['First words']);
  expect(getBaseRevisions(reloadDraft(draft, server('First', 'sent')))).toEqual(['sent', draft.now.revision]);
});

test('after a save is confirmed, later unconfirmed saves are still base revisions', () => {
  let draft = buildEditedDraft('a');
  const first = draft.now.revision;
  draft = editDraft(addUnconfirmedRevision(draft, first), words('ab'));
  const second = draft.now.revision;
  draft = confirmRevision(addUnconfirmedRevision(draft, second), first);
  expect([draft.isOnServer, getBaseRevisions(draft)]).toEqual([false, [first, second, second]]);
  draft = confirmRevision(draft, second);
  expect([draft.isOnServer, getBaseRevisions(draft)]).toEqual([true, [second, second]]);
});

test('a conflicting version stays listed until the teacher discards it', () => {
  const there = server('First, from there');
  const open = reloadDraft(buildEditedDraft('First, from here', { known: 'First' }), there);
  expect(seen(open)).toEqual(['First, from there', 'First, from here']);
  const on = editDraft(open, words('First, from there, and on'));
  const shown = reloadDraft(
    confirmRevision(on, on.now.revision),
    server('First, from there, and on', on.now.revision),
  );
  expect(seen(shown)).toEqual(['First, from there, and on', 'First, from here']);
  expect(seen(discardVersion(shown, shown.besides[0]!))).toEqual(['First, from there, and on']);
});

test('stores an empty draft on the device only if it is unsaved or has other versions', () => {
  expect(toStoredDraft(EMPTY_REPLY_DRAFT)).toBeNull();
  expect(toStoredDraft(buildEditedDraft(''))).not.toBeNull();
  expect(toStoredDraft({ ...EMPTY_REPLY_DRAFT, besides: [buildEditedDraft('beside').now] })).not.toBeNull();
});

test('another browser’s draft is shown, and not overwritten until the teacher chooses', () => {
  const sent = addUnconfirmedRevision(buildEditedDraft('First, from here', { known: 'First' }), 'sent');
  const theirs = { ...words('First, from there'), revision: 'theirs' };
  const draft = addConflictingVersion(sent, theirs);
  expect([seen(draft), draft.overtakenBy]).toEqual([['First, from here', 'First, from there'], 'theirs']);
  // After a reload, the form contains the server's version, which is no longer listed as another version.
  expect(seen(reloadDraft(draft, server('First, from there', 'theirs')))).toEqual([
    'First, from there',
    'First, from here',
  ]);
  const chosen = discardVersion(draft, draft.besides[0]!);
  expect([chosen.overtakenBy, seen(chosen)]).toEqual([null, ['First, from here']]);
  expect(getBaseRevisions(chosen)).toEqual(['theirs', chosen.now.revision]);
});

test('swapping versions lists the form’s previous text as another version', () => {
  const draft = addConflictingVersion(buildEditedDraft('from here'), {
    ...words('from there'),
    revision: 'theirs',
  });
  const turned = swapVersion(draft, draft.besides[0]!);
  expect([seen(turned), turned.overtakenBy, turned.known]).toEqual([
    ['from there', 'from here'],
    null,
    'theirs',
  ]);
  const empty = addConflictingVersion(buildEditedDraft(' '), { ...words('from there'), revision: 'theirs' });
  expect(seen(swapVersion(empty, empty.besides[0]!))).toEqual(['from there']);
});

test('the server’s copy of this device’s own draft does not count as another version', () => {
  const draft = editDraft(
    addUnconfirmedRevision(buildEditedDraft('First, and', { known: 'first' }), 'sent'),
    words('First, and more'),
  );
  for (const revision of ['first', 'sent', draft.now.revision])
    expect(addConflictingVersion(draft, { ...words('whatever'), revision }).overtakenBy).toBeNull();
  // If the same text was typed in two browsers, the draft continues from the other browser's revision.
  const alike = addConflictingVersion(draft, { ...words('First, and more'), revision: 'alike' });
  expect([alike.overtakenBy, alike.known, alike.besides]).toEqual([null, 'alike', []]);
});
