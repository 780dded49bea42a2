import { createUuid } from '#web/uploads/create-uuid.ts';
import type { Draft } from '#features/feedback/contract.ts';
import { areRepliesEqual, isEmptyReply, EMPTY_REPLY, type WrittenReply } from './written-reply.ts';

/**
 * Maximum number of unconfirmed revisions remembered. If the server has an older revision than these, that
 * revision is shown as another version.
 */
const MAX_UNCONFIRMED = 3;

/** A version of a draft. Each edit creates a version with a new id. */
export type DraftVersion = WrittenReply & { revision: string };

/** This device's copy of a draft that is also saved on the server. */
export type ReplyDraft = {
  /** The content of the form. */
  now: DraftVersion;
  /** Whether `now` is saved on the server. */
  isOnServer: boolean;
  /** The server's revision that `now` is based on; null if there was none. */
  known: string | null;
  /** Revisions sent after `known` that were not confirmed. Each of them may have arrived. */
  unanswered: readonly string[];
  /** Other versions, listed because this device and another browser changed the draft concurrently. */
  besides: readonly DraftVersion[];
  /**
   * The conflicting revision on the server, which is not overwritten until the teacher has chosen a version;
   * null if there is no conflict.
   */
  overtakenBy: string | null;
};

export const EMPTY_REPLY_DRAFT: ReplyDraft = {
  now: { ...EMPTY_REPLY, revision: '' },
  isOnServer: true,
  known: null,
  unanswered: [],
  besides: [],
  overtakenBy: null,
};

/**
 * Returns the initial state of the form. The server's draft takes precedence, because it may be from another
 * browser. The device's draft takes precedence if it is unsaved and the server has no draft, the same text
 * and marks, or a revision on which the device's draft is based; also if the recording and the server's draft
 * are gone. If both drafts were changed, both are shown. Clocks are not compared, because the device's clock
 * may be wrong.
 */
export function createReplyDraft(
  device: ReplyDraft | null,
  server: Draft | undefined,
  isGone: boolean,
): ReplyDraft {
  const known = server?.revision ?? null;
  const fromServer = server
    ? {
        ...EMPTY_REPLY_DRAFT,
        known,
        now: { text: server.text, marks: server.marks, revision: server.revision },
      }
    : EMPTY_REPLY_DRAFT;
  if (!device) return fromServer;
  const { now, besides } = device;
  // Keeps the unconfirmed revisions, because saves from before the reload may still be in flight.
  const fromDevice = { ...device, known, unanswered: getUnconfirmedAfter(device, known), overtakenBy: null };
  if (isGone && !server) return fromDevice;
  if (device.isOnServer) return withOtherVersions(fromServer, besides);
  if (!server || getBaseRevisions(device).includes(server.revision) || areRepliesEqual(now, server))
    return withOtherVersions(fromDevice, besides);
  return withOtherVersions(fromServer, isEmptyReply(now) ? besides : [...besides, now]);
}

/** Returns the revisions that the server may have if no other browser has changed the draft. */
export const getBaseRevisions = ({ now, known, unanswered }: ReplyDraft): string[] => [
  ...(known === null ? [] : [known]),
  ...unanswered,
  ...(now.revision === '' ? [] : [now.revision]),
];

export const editDraft = (draft: ReplyDraft, written: WrittenReply): ReplyDraft => ({
  ...draft,
  now: { ...written, revision: createUuid() },
  isOnServer: false,
});

/** Records that a revision is being sent. It may arrive even if its response is lost. */
export const addUnconfirmedRevision = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  unanswered: [...draft.unanswered, revision].slice(-MAX_UNCONFIRMED),
});

export const confirmRevision = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  isOnServer: draft.now.revision === revision,
  known: revision,
  unanswered: getUnconfirmedAfter(draft, revision),
});

/** Returns the unconfirmed revisions sent after `known`, because they may have arrived too. */
const getUnconfirmedAfter = ({ unanswered }: ReplyDraft, known: string | null) =>
  unanswered.slice(known === null ? 0 : unanswered.indexOf(known) + 1);

/**
 * Handles a conflict, in which the server has a revision that the save did not list as its base. Adds that
 * revision to `besides` until the teacher has chosen, unless it is a base of this draft or has the same
 * content.
 */
export function addConflictingVersion(
  draft: ReplyDraft,
  { text, marks, revision }: DraftVersion,
): ReplyDraft {
  if (getBaseRevisions(draft).includes(revision)) return draft;
  const theirs = { text, marks, revision };
  if (areRepliesEqual(draft.now, theirs)) return { ...draft, known: revision };
  const besides = [...draft.besides.filter((each) => !areRepliesEqual(each, theirs)), theirs];
  return { ...draft, besides, overtakenBy: revision };
}

export const discardVersion = (draft: ReplyDraft, away: DraftVersion): ReplyDraft => ({
  ...resolveConflict(draft, away),
  besides: draft.besides.filter((each) => each !== away),
});

/** Moves a version from `besides` into the form, and the form's content into `besides`. */
export const swapVersion = (draft: ReplyDraft, out: DraftVersion): ReplyDraft => ({
  ...editDraft(resolveConflict(draft, out), out),
  besides: draft.besides.flatMap((each) =>
    each !== out ? [each] : isEmptyReply(draft.now) ? [] : [draft.now],
  ),
});

/** Records that the teacher has seen this version and made a choice, so that later saves are based on it. */
const resolveConflict = (draft: ReplyDraft, seen: DraftVersion): ReplyDraft =>
  draft.overtakenBy === seen.revision
    ? { ...draft, overtakenBy: null, known: seen.revision, unanswered: [] }
    : draft;

/** Sets the other versions, without duplicates and without versions equal to the form's content. */
const withOtherVersions = (draft: ReplyDraft, besides: readonly DraftVersion[]): ReplyDraft => ({
  ...draft,
  besides: besides.filter(
    (each, index) =>
      !areRepliesEqual(each, draft.now) &&
      !besides.slice(0, index).some((other) => areRepliesEqual(other, each)),
  ),
});

/** Returns the draft to store on the device, or null if there is nothing to keep. */
export const toStoredDraft = (draft: ReplyDraft) =>
  draft.isOnServer && isEmptyReply(draft.now) && draft.besides.length === 0 ? null : draft;
