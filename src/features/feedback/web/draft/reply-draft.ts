import { newId } from '#web/uploads/new-id.ts';
import type { Draft } from '#features/feedback/contract.ts';
import { areSameWords, isNothing, NOTHING, type Written } from './draft.ts';

/**
 * Number of sent but unconfirmed revisions that are remembered; a forgotten one is shown as another version, not lost.
 */
const UNANSWERED_MAX = 3;

/** The state of a draft at one moment. Each edit creates a new one with its own id. */
export type Revision = Written & { revision: string };

/** This device's copy of a draft that is also saved at the server. */
export type ReplyDraft = {
  /** The content of the form. */
  now: Revision;
  /** Whether the server has `now`. */
  isOnServer: boolean;
  /** The server's revision that `now` was written from; null where there was none. */
  known: string | null;
  /** Revisions sent to the server since, without a response; each may have arrived. */
  unanswered: readonly string[];
  /** Other versions: typed on this device while another browser changed the draft too, or the other browser's. */
  besides: readonly Revision[];
  /** The revision in `besides` that the server has, until the teacher has chosen; it is not overwritten before. */
  overtakenBy: string | null;
};

export const NO_REPLY: ReplyDraft = {
  now: { ...NOTHING, revision: '' },
  isOnServer: true,
  known: null,
  unanswered: [],
  besides: [],
  overtakenBy: null,
};

/**
 * The initial state of the form. The server's draft takes precedence, since it may be from another browser, except
 * where this device holds an edit of it that never arrived, or where the recording is gone, and the server's draft with
 * it. Clocks are not compared, since a device's may be wrong: if both were changed, both are shown.
 */
export function beginReply(
  device: ReplyDraft | null,
  server: Draft | undefined,
  isGone: boolean,
): ReplyDraft {
  const known = server?.revision ?? null;
  const fromServer = server
    ? { ...NO_REPLY, known, now: { text: server.text, marks: server.marks, revision: server.revision } }
    : NO_REPLY;
  if (!device) return fromServer;
  const { now, besides } = device;
  // Saves from before the reload may still be on their way.
  const fromDevice = { ...device, known, unanswered: unansweredAfter(device, known), overtakenBy: null };
  if (isGone && !server) return fromDevice;
  if (device.isOnServer) return withBesides(fromServer, besides);
  if (!server || basedOnIn(device).includes(server.revision) || areSameWords(now, server))
    return withBesides(fromDevice, besides);
  return withBesides(fromServer, isNothing(now) ? besides : [...besides, now]);
}

/** Revisions that the server may have without another browser having changed the draft. */
export const basedOnIn = ({ now, known, unanswered }: ReplyDraft): string[] => [
  ...(known === null ? [] : [known]),
  ...unanswered,
  ...(now.revision === '' ? [] : [now.revision]),
];

export const edited = (draft: ReplyDraft, written: Written): ReplyDraft => ({
  ...draft,
  now: { ...written, revision: newId() },
  isOnServer: false,
});

/** The revision is being sent to the server, and may arrive even if no response does. */
export const sending = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  unanswered: [...draft.unanswered, revision].slice(-UNANSWERED_MAX),
});

export const saved = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  isOnServer: draft.now.revision === revision,
  known: revision,
  unanswered: unansweredAfter(draft, revision),
});

/** Revisions sent after the one that the server has may have arrived too. */
const unansweredAfter = ({ unanswered }: ReplyDraft, known: string | null) =>
  unanswered.slice(known === null ? 0 : unanswered.indexOf(known) + 1);

/**
 * The server has a revision other than those it was asked to replace. If it is neither a base of this draft nor equal
 * to it, it is kept in `besides` until the teacher has chosen.
 */
export function met(draft: ReplyDraft, { text, marks, revision }: Revision): ReplyDraft {
  if (basedOnIn(draft).includes(revision)) return draft;
  const theirs = { text, marks, revision };
  if (areSameWords(draft.now, theirs)) return { ...draft, known: revision };
  const besides = [...draft.besides.filter((each) => !areSameWords(each, theirs)), theirs];
  return { ...draft, besides, overtakenBy: revision };
}

export const putAway = (draft: ReplyDraft, away: Revision): ReplyDraft => ({
  ...settled(draft, away),
  besides: draft.besides.filter((each) => each !== away),
});

/** Moves a version from `besides` into the form; the form's former content takes its place. */
export const swapped = (draft: ReplyDraft, out: Revision): ReplyDraft => ({
  ...edited(settled(draft, out), out),
  besides: draft.besides.flatMap((each) => (each !== out ? [each] : isNothing(draft.now) ? [] : [draft.now])),
});

/** The teacher has seen this version and chosen: later saves are based on it. */
const settled = (draft: ReplyDraft, seen: Revision): ReplyDraft =>
  draft.overtakenBy === seen.revision
    ? { ...draft, overtakenBy: null, known: seen.revision, unanswered: [] }
    : draft;

/** Drops versions equal to the form's content or to one another. */
const withBesides = (draft: ReplyDraft, besides: readonly Revision[]): ReplyDraft => ({
  ...draft,
  besides: besides.filter(
    (each, index) =>
      !areSameWords(each, draft.now) && !besides.slice(0, index).some((other) => areSameWords(other, each)),
  ),
});

/** Null when there is nothing to keep. */
export const packed = (draft: ReplyDraft) =>
  draft.isOnServer && isNothing(draft.now) && draft.besides.length === 0 ? null : draft;
