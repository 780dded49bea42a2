import { expect } from 'vitest';
import { api } from '#app/api.ts';
import type { HeldFeedback, Mark, VoiceComment } from '#features/feedback/contract.ts';
import { SENDING_CANCELLED_MESSAGE } from '#features/feedback/limits.ts';
import { composeWrittenFeedback } from '#features/feedback/marks.ts';
import { buildFeedback, type FeedbackFixture, type RecordingFixture, getToneFileName } from './community.ts';
import { mockEndpoint, type ReceivedCall, RejectedCallError } from './fake-api.ts';
import { page, userEvent } from './screen.ts';

// One teacher's inbox as the server stores it: pending recordings, sent feedback and drafts.

type Draft = { recordingId: number; text: string; marks: Mark[]; revision: string; updatedAt: Date };
const hasFeedback = (recordingId: number) =>
  givenFeedback.some(({ feedback }) => feedback.recordingId === recordingId);

type GivenFeedback = { feedback: FeedbackFixture; clientIds: string[] };

let waitingRecordings: RecordingFixture[] = [];
let givenFeedback: GivenFeedback[] = [];
let drafts: Draft[] = [];

/** Serves an inbox that stores drafts and accepts replies. */
export function mockInbox(...recordings: RecordingFixture[]) {
  [waitingRecordings, givenFeedback, drafts] = [recordings, [], []];
  mockEndpoint(api.recordings.pendingForInbox, () => waitingRecordings);
  mockEndpoint(api.recordings.countPending, () => ({ count: waitingRecordings.length }));
  mockEndpoint(api.feedback.drafts, ({ query }) =>
    drafts
      .filter(({ recordingId }) => (query['recordingId'] ?? String(recordingId)) === String(recordingId))
      .map((draft) => ({ ...draft, isAnswered: hasFeedback(draft.recordingId) })),
  );
  mockEndpoint(api.feedback.keepDraft, storeDraft);
  mockEndpoint(api.feedback.send, storeFeedback);
  mockEndpoint(api.feedback.ofRecording, ({ path }) => {
    const found = givenFeedback.find(({ feedback }) => feedback.recordingId === parseId(path));
    if (!found) throw new RejectedCallError(404, 'This recording no longer exists');
    return found.feedback;
  });
}

/** Returns the text of the reply's draft on the server, or undefined if there is no draft. */
export const getDraftText = ({ id }: RecordingFixture) =>
  drafts.find(({ recordingId }) => recordingId === id)?.text;

/**
 * Changes the draft as the same teacher would in another browser. `null` deletes it, like emptying the form
 * there.
 */
export function changeDraftElsewhere(
  { id: recordingId }: RecordingFixture,
  text: string | null,
  marks: Mark[] = [],
) {
  drafts = drafts.filter((each) => each.recordingId !== recordingId);
  if (text === null) return;
  drafts.push({ recordingId, text, marks, revision: crypto.randomUUID(), updatedAt: new Date() });
}

/** Sends feedback on the recording as another teacher. This teacher's draft stays. */
export function sendFeedbackElsewhere(recording: RecordingFixture, words: string) {
  waitingRecordings = waitingRecordings.filter((each) => each !== recording);
  givenFeedback.push({ feedback: buildFeedback(recording, { writtenFeedback: words }), clientIds: [] });
}

/** Withdraws the recording, which deletes its draft too. */
export function withdrawRecording(recording: RecordingFixture) {
  waitingRecordings = waitingRecordings.filter((each) => each !== recording);
  drafts = drafts.filter(({ recordingId }) => recordingId !== recording.id);
}

const SILENT = { audioFeedbackUrl: null, audioFeedbackDuration: null };

/** Returns the voice comments of the marks. Each lasts a second. */
const toVoices = (marks: Mark[]): VoiceComment[] =>
  marks.flatMap(({ voice: id }) =>
    id === undefined ? [] : [{ id, audioUrl: getToneFileName(1), audioCopies: [], duration: 1, peaks: null }],
  );

/**
 * From now on, holds replies for an undo window instead of sending them.
 * @returns a function that sends them
 */
export function mockHeldReplies() {
  let held: HeldFeedback[] = [];
  const keys = new Map<number, unknown>();
  const spent = new Set<unknown>();
  mockEndpoint(api.feedback.held, () => held);
  mockEndpoint(api.feedback.send, ({ body }) => {
    const { recordingId, writtenFeedback = '', marks = '[]' } = body as Record<string, string>;
    if (spent.has(body['clientId'])) throw new RejectedCallError(409, SENDING_CANCELLED_MESSAGE);
    keys.set(Number(recordingId), body['clientId']);
    const hasSound = body['uploadId'] !== undefined;
    drafts = drafts.filter((draft) => draft.recordingId !== Number(recordingId));
    const reply = {
      ...{ recordingId: Number(recordingId), writtenFeedback, marks: JSON.parse(marks) as Mark[] },
      voices: toVoices(JSON.parse(marks) as Mark[]),
      ...(hasSound ? { audioFeedbackUrl: getToneFileName(2), audioFeedbackDuration: 2 } : SILENT),
      ...{ peaks: null, secondsLeft: Number(body['holdSeconds']) },
    };
    held = [reply, ...held].sort((a, b) => b.secondsLeft - a.secondsLeft);
    return reply;
  });
  mockEndpoint(api.feedback.takeBack, ({ path, query }) => {
    const back = held.find(({ recordingId }) => recordingId === parseId(path));
    if (!back) throw new RejectedCallError(404, 'This feedback has already been sent.');
    held = held.filter((each) => each !== back);
    spent.add(keys.get(back.recordingId));
    const recording = waitingRecordings.find(({ id }) => id === back.recordingId)!;
    if (query['keepsDraft'] !== 'false') changeDraftElsewhere(recording, back.writtenFeedback, back.marks);
    return back;
  });
  return () => {
    for (const { recordingId, secondsLeft: _, ...reply } of held) {
      const recording = waitingRecordings.find(({ id }) => id === recordingId)!;
      waitingRecordings = waitingRecordings.filter((each) => each !== recording);
      givenFeedback.push({ feedback: buildFeedback(recording, reply), clientIds: [] });
    }
    held = [];
  };
}

export const findInboxCard = (title: string) => page.getByRole('article', { name: title, exact: true });
/** The list beside the open card, on wide screens. */
export const inboxList = page.getByRole('navigation', { name: 'Waiting recordings' });
export const findInboxRow = (title: string) =>
  inboxList.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) });
/** Chooses an action in the inbox’s “More” menu. */
export const chooseInMoreMenu = async (name: string) => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
};
export const findHeading = (name: string) => page.getByRole('heading', { name, exact: true });
export const typeKeys = (text: string) => userEvent.keyboard(text);
/** The bar that lists sent replies while they can be undone. */
export const sentRepliesBar = page.getByRole('region', { name: 'Sent just now' });
export const undoButton = sentRepliesBar.getByRole('button', { name: 'Undo' });

export const getSentFeedback = () => givenFeedback.map(({ feedback }) => feedback);

/** Moves focus to the first card with the keyboard shortcut. */
export async function focusFirstCard(title: string) {
  const heading = page.getByRole('heading', { name: title, exact: true });
  await expect.element(heading).toBeVisible();
  await userEvent.keyboard('j');
  await expect.element(heading).toHaveFocus();
}

const parseId = (path: string) => Number(/\d+/.exec(path));

function storeDraft({ path, body }: ReceivedCall) {
  const recordingId = parseId(path);
  const isKnown = [...waitingRecordings, ...givenFeedback.map(({ feedback }) => feedback.recording)].some(
    ({ id }) => id === recordingId,
  );
  if (!isKnown) throw new RejectedCallError(404, 'This recording no longer exists');
  const { text, marks, revision, basedOn } = body as Draft & { basedOn: string[] };
  const storedDraft = drafts.find((each) => each.recordingId === recordingId);
  if (storedDraft && ![revision, ...basedOn].includes(storedDraft.revision))
    throw new RejectedCallError(409, 'This draft was changed in another browser while you were writing.');
  drafts = drafts.filter((each) => each !== storedDraft);
  if (text.trim() !== '' || marks.length > 0)
    drafts.push({ recordingId, text, marks, revision, updatedAt: new Date() });
  return { message: 'Kept', revision };
}

function storeFeedback({ body }: ReceivedCall): FeedbackFixture {
  const {
    recordingId,
    writtenFeedback,
    marks: marksText = '[]',
    clientId,
    supersedes = '',
  } = body as Record<string, string>;
  const marks = JSON.parse(marksText) as Mark[];
  const content = {
    writtenFeedback: writtenFeedback || composeWrittenFeedback(marks),
    marks,
    voices: toVoices(marks),
    ...(body['uploadId'] !== undefined && { audioFeedbackUrl: getToneFileName(2), audioFeedbackDuration: 2 }),
  };
  const earlier = givenFeedback.find(({ feedback }) => feedback.recordingId === Number(recordingId));
  if (earlier) {
    if (earlier.clientIds.includes(clientId!)) return earlier.feedback;
    const isOwn = earlier.clientIds.some((id) => supersedes.split(',').includes(id));
    if (!isOwn) throw new RejectedCallError(409, 'This recording already has feedback.');
    earlier.feedback = { ...earlier.feedback, ...content, correctedAt: new Date() };
    return earlier.feedback;
  }
  const recording = waitingRecordings.find(({ id }) => id === Number(recordingId));
  if (!recording) throw new RejectedCallError(404, 'This recording no longer exists');
  waitingRecordings = waitingRecordings.filter((each) => each !== recording);
  drafts = drafts.filter((draft) => draft.recordingId !== recording.id);
  const feedback = buildFeedback(recording, content);
  givenFeedback.push({ feedback, clientIds: [clientId!] });
  return feedback;
}
