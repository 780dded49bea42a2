import type { Kept } from '../../../../platform/web/drafts/draft-storage.ts';
import { newId } from '../../../../platform/web/uploads/new-id.ts';
import type { Draft } from '../../contract.ts';
import { areSameWords, isNothing, NOTHING, type Written } from './draft.ts';

/** Of revisions that may have arrived unanswered so many are remembered; what is forgotten is shown beside, not lost. */
const UNANSWERED_MAX = 3;

/** What a draft was at one moment. Each edit makes another, with an id of its own. */
export type Revision = Written & { revision: string };

/** A draft that the server keeps as well, as this device knows it. */
export type ReplyDraft = {
  /** What is in the form. */
  now: Revision;
  /** Whether the server has it. */
  isOnServer: boolean;
  /** The revision at the server that `now` was written from; null where there was none. */
  known: string | null;
  /** Revisions that went to the server since; each may have arrived, for no answer came. */
  unanswered: readonly string[];
  /** What was typed on this device while another browser changed the draft too, and the other way round. */
  besides: readonly Revision[];
  /** The one of `besides` that the server has, until one has chosen: it is not overwritten before. */
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
 * What the form begins with. What the server has counts, for it may be from another browser; except where this device
 * holds something that was written from it and never arrived there, and where the recording has gone, which took the
 * server's along. No clock decides, for a device's may be wrong: where both were changed, both are shown.
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
  const fromDevice = { ...device, known, unanswered: [], overtakenBy: null };
  if (isGone && !server) return fromDevice;
  if (device.isOnServer) return withBesides(fromServer, besides);
  if (!server || basedOnIn(device).includes(server.revision) || areSameWords(now, server))
    return withBesides(fromDevice, besides);
  return withBesides(fromServer, isNothing(now) ? besides : [...besides, now]);
}

/** What the server may have without its being another browser's. */
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

/** It is on its way to the server, and may arrive without an answer. */
export const sending = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  unanswered: [...draft.unanswered, revision].slice(-UNANSWERED_MAX),
});

export const saved = (draft: ReplyDraft, revision: string): ReplyDraft => ({
  ...draft,
  isOnServer: draft.now.revision === revision,
  known: revision,
  // What was sent behind it may have arrived too.
  unanswered: draft.unanswered.slice(draft.unanswered.indexOf(revision) + 1),
});

/**
 * The server has another revision than it was asked to replace. If this was not written from it, it lies beside until
 * one has chosen.
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

/** One that lay beside comes into the form; what stood there lies beside in its stead. */
export const swapped = (draft: ReplyDraft, out: Revision): ReplyDraft => ({
  ...edited(settled(draft, out), out),
  besides: draft.besides.flatMap((each) => (each !== out ? [each] : isNothing(draft.now) ? [] : [draft.now])),
});

/** One has seen it, and chosen: what is saved from now on goes on from it. */
const settled = (draft: ReplyDraft, seen: Revision): ReplyDraft =>
  draft.overtakenBy === seen.revision
    ? { ...draft, overtakenBy: null, known: seen.revision, unanswered: [] }
    : draft;

/** What lay beside when another was in the form may be what the form begins with now. */
const withBesides = (draft: ReplyDraft, besides: readonly Revision[]): ReplyDraft => ({
  ...draft,
  besides: besides.filter(
    (each, index) =>
      !areSameWords(each, draft.now) && !besides.slice(0, index).some((other) => areSameWords(other, each)),
  ),
});

/** Null when there is nothing that anybody typed. */
export const packed = (draft: ReplyDraft) =>
  draft.isOnServer && isNothing(draft.now) && draft.besides.length === 0 ? null : draft;

type OlderDraft = Partial<Written> & { isOnServer?: boolean; basedOn?: readonly Written[] };

/**
 * What the device kept. Older versions kept the text alone; then text and marks with what they were based on, word for
 * word, and what lay beside under another name.
 */
export function unpacked(
  kept: Kept | null,
  keptBesides: Kept | null,
  server: Draft | undefined,
): ReplyDraft | null {
  if (kept !== null && typeof kept === 'object' && 'now' in kept) return kept as ReplyDraft;
  if (kept === null && keptBesides === null) return null;
  const older: OlderDraft = typeof kept === 'string' ? { text: kept } : (kept ?? { isOnServer: true });
  const { text = '', marks = [], isOnServer = false, basedOn = [] } = older;
  const isFromServers = server && basedOn.some((each) => areSameWords(each, server));
  return {
    ...NO_REPLY,
    now: { text, marks, revision: newId() },
    isOnServer,
    known: isFromServers ? server.revision : null,
    besides: ((keptBesides ?? []) as Written[]).map((each) => ({ ...each, revision: newId() })),
  };
}
