import { createId } from '#web/uploads/create-id.ts';
import type { Draft } from '#features/feedback/contract.ts';
import { areRepliesEqual, isEmptyReply, EMPTY_REPLY, type WrittenReply } from './written-reply.ts';

/** Maximum number of unconfirmed revisions remembered; a forgotten one is shown as another version, not lost. */
const MAX_UNCONFIRMED = 3;

/** A version of a draft. Each edit creates a new one with its own id. */
export type Revision = WrittenReply & { revision: string };

/** This device's copy of a draft that is also saved on the server. */
export type ReplyDraft = {
  /** The content of the form. */
  now: Revision;
  /** Whether the server has `now`. */
  isOnServer: boolean;
  /** The server's revision that `now` was written from; null if there was none. */
  known: string | null;
  /** Revisions sent since without a response; each may have arrived. */
  unanswered: readonly string[];
  /** Other versions: typed on this device while another browser changed the draft too, or the other browser's. */
  besides: readonly Revision[];
  /** The server's revision, listed in `besides`, until the teacher has chosen. It is not overwritten before. */
  overtakenBy: string | null;
};

export const EMPTY_DRAFT: ReplyDraft = {
  now: { ...EMPTY_REPLY, revision: '' },
  isOnServer: true,
  known: null,
  unanswered: [],
  besides: [],
  overtakenBy: null,
};

/**
 * Returns the initial state of the form. The server's draft takes precedence, because it may be from another browser,
 * unless this device has an edit of it that never arrived, or the recording and the server's draft are gone. Clocks are
 * not compared, because a device's may be wrong: if both were changed, both are shown.
 */
export function createReplyDraft(
  device: ReplyDraft | null,
  server: Draft | undefined,
  isGone: boolean,
): ReplyDraft {
  const known = server?.revision ?? null;
  const fromServer = server
    ? { ...EMPTY_DRAFT, known, now: { text: server.text, marks: server.marks, revision: server.revision } }
    : EMPTY_DRAFT;
  if (!device) return fromServer;
  const { now, besides } = device;
  // Saves from before the reload may still be in flight.
  const fromDevice = { ...device, known, unanswered: getUnconfirmedAfter(device, known), overtakenBy: null };
  if (isGone && !server) return fromDevice;
  if (device.isOnServer) return withOtherVersions(fromServer, besides);
  if (!server || getBaseRevisions(device).includes(server.revision) || areRepliesEqual(now, server))
    return withOtherVersions(fromDevice, besides);
  return withOtherVersions(fromServer, isEmptyReply(now) ? besides : [...besides, now]);
}

/** Returns the revisions that the server may have without another browser having changed the draft. */
export const getBaseRevisions = ({ now, known, unanswered }: ReplyDraft): string[] => [
  ...(known === null ? [] : [known]),
  ...unanswered,
  ...(now.revision === '' ? [] : [now.revision]),
];

export const editDraft = (draft: ReplyDraft, written: WrittenReply): ReplyDraft => ({
  ...draft,
  now: { ...written, revision: createId() },
  isOnServer: false,
});

/** Records that a revision is being sent; it may arrive even if no response does. */
export const markSending = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  unanswered: [...draft.unanswered, revision].slice(-MAX_UNCONFIRMED),
});

export const markSaved = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  isOnServer: draft.now.revision === revision,
  known: revision,
  unanswered: getUnconfirmedAfter(draft, revision),
});

/** Returns the unconfirmed revisions sent after the server's; they may have arrived too. */
const getUnconfirmedAfter = ({ unanswered }: ReplyDraft, known: string | null) =>
  unanswered.slice(known === null ? 0 : unanswered.indexOf(known) + 1);

/**
 * Handles a conflict: the server has a revision other than those it was asked to replace. Unless it is a base of this
 * draft or equal to it, it is added to `besides` until the teacher has chosen.
 */
export function addConflictingVersion(draft: ReplyDraft, { text, marks, revision }: Revision): ReplyDraft {
  if (getBaseRevisions(draft).includes(revision)) return draft;
  const theirs = { text, marks, revision };
  if (areRepliesEqual(draft.now, theirs)) return { ...draft, known: revision };
  const besides = [...draft.besides.filter((each) => !areRepliesEqual(each, theirs)), theirs];
  return { ...draft, besides, overtakenBy: revision };
}

export const discardVersion = (draft: ReplyDraft, away: Revision): ReplyDraft => ({
  ...resolveConflict(draft, away),
  besides: draft.besides.filter((each) => each !== away),
});

/** Moves a version from `besides` into the form, and the form's content into `besides`. */
export const swapVersion = (draft: ReplyDraft, out: Revision): ReplyDraft => ({
  ...editDraft(resolveConflict(draft, out), out),
  besides: draft.besides.flatMap((each) =>
    each !== out ? [each] : isEmptyReply(draft.now) ? [] : [draft.now],
  ),
});

/** Records that the teacher has seen this version and chosen: later saves are based on it. */
const resolveConflict = (draft: ReplyDraft, seen: Revision): ReplyDraft =>
  draft.overtakenBy === seen.revision
    ? { ...draft, overtakenBy: null, known: seen.revision, unanswered: [] }
    : draft;

/** Sets the other versions, without those equal to the form's content or to one another. */
const withOtherVersions = (draft: ReplyDraft, besides: readonly Revision[]): ReplyDraft => ({
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
