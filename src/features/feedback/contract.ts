import { z } from 'zod';
import { defineEndpoint, MAX_BYTES_PER_JSON_CHARACTER } from '#shared/endpoint.ts';
import {
  countBody,
  createPageCursorSchema,
  nullableFileName,
  idCursorQuery,
  numericId,
  messageBody,
  waveformPeaks,
  soundCopies,
  createLimitedTextSchema,
  timestamp,
} from '#shared/schemas.ts';
import { recording } from '#features/recordings/contract.ts';
import { RECORDING_HISTORY_PAGE_SIZE } from '#features/recordings/limits.ts';
import {
  SNOOZED_PAGE_SIZE,
  MAX_SUPERSEDED_SEND_ATTEMPTS,
  MAX_DRAFT_BASE_REVISIONS,
  DRAFTS_PAGE_SIZE,
  MAX_UNDO_WINDOW_SECONDS,
  MAX_MARK_MELODY_TIME_SECONDS,
  MAX_MARK_TIME_SECONDS,
  MAX_MARK_TEXT_LENGTH,
  MAX_MARKS,
  THREAD_PAGE_SIZE,
  TOO_MANY_VOICE_COMMENTS_MESSAGE,
  MAX_VOICE_COMMENTS,
  MAX_WRITTEN_FEEDBACK_LENGTH,
  feedbackAudioSlot,
} from './limits.ts';

export const feedbackStatus = z.enum(['unread', 'read', 'integrated']);
export type FeedbackStatus = z.output<typeof feedbackStatus>;

/**
 * A comment on a moment or a passage of a recording. Times are in seconds from the start of the recording.
 * `end` is null for a moment.
 */
export const mark = z
  .object({
    start: z.number().min(0).max(MAX_MARK_TIME_SECONDS),
    end: z.number().min(0).max(MAX_MARK_TIME_SECONDS).nullable(),
    text: createLimitedTextSchema(MAX_MARK_TEXT_LENGTH),
    melodyAt: z
      .number()
      .min(0)
      .max(MAX_MARK_MELODY_TIME_SECONDS)
      .nullable()
      .optional()
      .describe(
        "The matching place in the melody's audio, in seconds; null for none. In seconds rather than as a line, so that it survives edits of the words. Absent if it was never set, as in drafts and in older marks.",
      ),
    voice: z
      .uuid()
      .toLowerCase()
      .optional()
      .describe(
        "Its voice comment: the `clientId` of a complete upload, or the id of one of the feedback's `voices`. In a draft it may exist only on a device.",
      ),
  })
  .meta({ id: 'Mark', examples: [{ start: 12.5, end: 15, text: 'A breath before this line.' }] });
export type Mark = z.output<typeof mark>;

const marks = z
  .array(mark)
  .max(MAX_MARKS, `You can add up to ${MAX_MARKS} comments.`)
  .refine(
    (all) => all.filter(({ voice }) => voice !== undefined).length <= MAX_VOICE_COMMENTS,
    TOO_MANY_VOICE_COMMENTS_MESSAGE,
  );

/** Maximum size of a mark in JSON: its text, plus 200 bytes for three numbers, an id and the property names. */
const MAX_MARK_JSON_BYTES = MAX_MARK_TEXT_LENGTH * MAX_BYTES_PER_JSON_CHARACTER + 200;

/** The voice comment of a mark. */
const voice = z
  .object({
    id: z.uuid().describe('The id that the mark names.'),
    audioUrl: z.string(),
    audioCopies: soundCopies,
    duration: z.int().describe('Seconds.'),
    peaks: waveformPeaks,
  })
  .meta({ id: 'Voice' });
export type VoiceComment = z.output<typeof voice>;

const voices = z.array(voice).describe("The marks' voice comments, in any order.");

/** Marks as a JSON string, because the request body is a form. */
const marksJson = createLimitedTextSchema(MAX_MARKS * MAX_MARK_JSON_BYTES).transform((value, context) => {
  const parsed = marks.safeParse(value.trim() === '' ? [] : parseJson(value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  // Keeps the messages for invalid texts and for too many marks or voice comments. Other errors get a generic
  // message.
  if (issue?.code === 'custom' || (issue?.code === 'too_big' && issue.origin !== 'number'))
    context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
  else context.addIssue('The comments could not be read. Please reload the page and try again.');
  return z.NEVER;
});

const answeredRecording = recording
  .pick({
    id: true,
    title: true,
    message: true,
    audioUrl: true,
    audioCopies: true,
    duration: true,
    peaks: true,
    melodyId: true,
    attempt: true,
    createdAt: true,
    student: true,
  })
  .meta({ id: 'AnsweredRecording' });

export const feedback = z
  .object({
    id: z.int(),
    recordingId: z.int(),
    recording: answeredRecording,
    writtenFeedback: z.string().nullable(),
    marks: marks.describe('Sorted by time.'),
    voices,
    audioFeedbackUrl: nullableFileName,
    audioFeedbackCopies: soundCopies,
    audioFeedbackDuration: z
      .int()
      .nullable()
      .describe('Length in seconds and waveform of the spoken part; null without one.'),
    peaks: waveformPeaks,
    status: feedbackStatus,
    createdAt: timestamp,
    correctedAt: timestamp.nullable().describe('When the teacher last corrected it; null if never.'),
  })
  .meta({ id: 'Feedback' });
export type Feedback = z.output<typeof feedback>;

/** Summary of the newest unread feedback. */
const feedbackNews = z
  .object({ recordingId: z.int(), title: z.string(), marks: z.int(), createdAt: timestamp })
  .meta({ id: 'NewsOfFeedback' });

/** One attempt at a melody, with its feedback. */
export const threadEntry = z.object({ recording, feedback: feedback.nullable() }).meta({ id: 'ThreadEntry' });
export type ThreadEntry = z.output<typeof threadEntry>;

export const draft = z
  .object({
    recordingId: z.int(),
    isAnswered: z
      .boolean()
      .describe("Another admin has answered the recording, so this draft can't be sent."),
    text: z.string(),
    marks,
    updatedAt: timestamp,
    revision: z.uuid().describe('Identifies this version, for `basedOn`.'),
  })
  .meta({ id: 'Draft' });
export type Draft = z.output<typeof draft>;

export const heldFeedback = z
  .object({
    recordingId: z.int(),
    writtenFeedback: z.string().nullable().describe('As typed.'),
    marks: marks.describe('Sorted by time.'),
    voices,
    audioFeedbackUrl: nullableFileName,
    audioFeedbackDuration: z.int().nullable(),
    peaks: waveformPeaks,
    secondsLeft: z.number().min(0).describe('Seconds until it is sent.'),
  })
  .meta({ id: 'HeldFeedback' });
export type HeldFeedback = z.output<typeof heldFeedback>;

/** A pending recording that an admin has snoozed until a time. */
const snoozedRecording = z.object({ recordingId: z.int(), until: timestamp }).meta({ id: 'PutAside' });
export type SnoozedRecording = z.output<typeof snoozedRecording>;

const holdSeconds = numericId.refine((seconds) => seconds <= MAX_UNDO_WINDOW_SECONDS, {
  message: `must be at most ${MAX_UNDO_WINDOW_SECONDS}`,
});

const UUID_CHARACTERS = 36;

const clientIds = createLimitedTextSchema(MAX_SUPERSEDED_SEND_ATTEMPTS * (UUID_CHARACTERS + 1))
  .transform((list) => list.split(','))
  .pipe(z.array(z.uuid()).max(MAX_SUPERSEDED_SEND_ATTEMPTS));

const recordingId = z.object({ id: numericId });

export const feedbackApi = {
  send: defineEndpoint({
    method: 'POST',
    path: '/api/feedback',
    access: 'admin',
    summary: 'Answers a recording with text, audio or both, and marks it reviewed.',
    body: z.object({
      recordingId: numericId,
      writtenFeedback: createLimitedTextSchema(MAX_WRITTEN_FEEDBACK_LENGTH).optional(),
      marks: marksJson
        .optional()
        .describe(
          'The marks as JSON. Without other content, the written feedback is built from them. Marks with neither words nor a voice comment are dropped.',
        ),
      clientId: z
        .uuid()
        .optional()
        .describe(
          'Idempotency key of this content: a repeated call returns the feedback created by the first.',
        ),
      supersedes: clientIds
        .optional()
        .describe(
          'The `clientId`s of earlier attempts with different content, separated by commas. If one of them has arrived, it is corrected to this content.',
        ),
      uploadId: z.uuid().optional().describe('Instead of the file: the `clientId` of a complete upload.'),
      peaks: z.string().max(300).optional().describe("Used only if the server can't compute the waveform."),
      holdSeconds: holdSeconds
        .optional()
        .describe(
          `Answers 202 and holds the feedback for this many seconds, at most ${MAX_UNDO_WINDOW_SECONDS}, during which it can be undone. It is then sent automatically. Until then the recording stays pending and the student is not notified.`,
        ),
    }),
    files: { audioFeedback: feedbackAudioSlot },
    answers: { 200: feedback, 201: feedback, 202: heldFeedback },
    refusals: {
      404: 'Unknown recording',
      409: 'Already answered, an earlier attempt was corrected or undone since, or the upload is incomplete',
      413: '10 MB or more',
      415: 'Not audio that browsers can play',
    },
  }),
  correct: defineEndpoint({
    method: 'PUT',
    path: '/api/feedback/{id}',
    access: 'admin',
    summary: 'Corrects existing feedback: absent parts stay, and an empty text is removed.',
    params: z.object({ id: numericId }),
    body: z.object({
      writtenFeedback: createLimitedTextSchema(MAX_WRITTEN_FEEDBACK_LENGTH).optional(),
      marks: marksJson.optional(),
      removeAudio: z.enum(['true', 'false']).optional(),
      basedOn: z
        .union([z.literal(''), z.iso.datetime()], 'must be a time as it was answered, or empty')
        .transform((value) => (value === '' ? null : new Date(value)))
        .optional()
        .describe(
          'The `correctedAt` that the caller has seen, empty for never; later corrections are not overwritten.',
        ),
      uploadId: z.uuid().optional(),
      peaks: z.string().max(300).optional().describe("Used only if the server can't compute the waveform."),
    }),
    files: { audioFeedback: feedbackAudioSlot },
    answers: { 200: feedback },
    refusals: {
      404: 'Unknown feedback',
      409: 'It was corrected after `basedOn`, or the upload is incomplete',
      413: '10 MB or more',
      415: 'Not audio that browsers can play',
    },
  }),
  ofRecording: defineEndpoint({
    method: 'GET',
    path: '/api/admin/recordings/{id}/feedback',
    access: 'admin',
    summary: 'The feedback on a recording.',
    params: recordingId,
    answers: { 200: feedback },
    refusals: { 404: 'Unknown recording, or not answered yet' },
  }),
  thread: defineEndpoint({
    method: 'GET',
    path: '/api/recordings/{id}/thread',
    access: 'signed-in',
    summary:
      "One student's recordings of a recording's melody, with their feedback: one page, oldest first; the next page has earlier ones.",
    params: recordingId,
    query: idCursorQuery,
    pageSize: THREAD_PAGE_SIZE,
    answers: { 200: z.array(threadEntry) },
    refusals: { 404: "Unknown, or another student's" },
  }),
  latest: defineEndpoint({
    method: 'GET',
    path: '/api/recordings/{id}/latest-feedback',
    access: 'student',
    summary:
      "What to keep in mind when singing a recording's melody again: its feedback, or that of the newest other recording of the melody that has any.",
    params: recordingId,
    answers: { 200: z.object({ feedback: feedback.nullable() }) },
    refusals: { 404: "Unknown, or another student's" },
  }),
  drafts: defineEndpoint({
    method: 'GET',
    path: '/api/admin/feedback-drafts',
    access: 'admin',
    summary: "The caller's drafts, by recording; with `recordingId`, only that recording's.",
    query: z.object({
      recordingId: numericId.optional(),
      after: createPageCursorSchema(z.tuple([z.int()])).optional(),
    }),
    pageSize: DRAFTS_PAGE_SIZE,
    answers: { 200: z.array(draft) },
  }),
  keepDraft: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/recordings/{id}/draft',
    access: 'admin',
    summary:
      "Saves the caller's draft for a recording, even if another admin has answered it. Saving an empty draft deletes it.",
    params: recordingId,
    body: z.object({
      text: createLimitedTextSchema(MAX_WRITTEN_FEEDBACK_LENGTH),
      marks,
      revision: z.uuid().optional().describe('New for each edit; generated by the server if absent.'),
      basedOn: z
        .array(z.string().max(36))
        .max(MAX_DRAFT_BASE_REVISIONS)
        .optional()
        .describe(
          'The `revision` this draft is based on, and later ones that were sent and may have arrived. A stored draft with any other revision is not overwritten. If absent, any stored draft is overwritten.',
        ),
    }),
    // Allows a larger body than other requests may have, for a long reply with the maximum number of marks.
    bodyBytes:
      MAX_WRITTEN_FEEDBACK_LENGTH * MAX_BYTES_PER_JSON_CHARACTER + MAX_MARKS * MAX_MARK_JSON_BYTES + 1024,
    answers: { 200: messageBody.extend({ revision: z.uuid() }) },
    refusals: { 404: 'Unknown recording', 409: 'The stored draft is not one that `basedOn` names' },
  }),
  held: defineEndpoint({
    method: 'GET',
    path: '/api/admin/feedback/held',
    access: 'admin',
    summary: "The caller's feedback that has not been sent yet, newest first.",
    answers: { 200: z.array(heldFeedback) },
  }),
  takeBack: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/feedback/held/{id}',
    access: 'admin',
    summary:
      "Undoes the caller's feedback on a recording before it is sent. Its words become a draft again, and its audio is deleted.",
    params: recordingId,
    query: z.object({
      keepsDraft: z
        .enum(['true', 'false'])
        .optional()
        .describe('`false` discards the words instead of making them a draft.'),
    }),
    answers: { 200: heldFeedback },
    refusals: { 404: 'Already sent, or none' },
  }),
  aside: defineEndpoint({
    method: 'GET',
    path: '/api/admin/feedback/put-aside',
    access: 'admin',
    summary: 'The ids of the pending recordings that the caller has snoozed.',
    query: z.object({ after: createPageCursorSchema(z.tuple([z.int()])).optional() }),
    pageSize: SNOOZED_PAGE_SIZE,
    answers: { 200: z.array(snoozedRecording) },
  }),
  putAside: defineEndpoint({
    method: 'PUT',
    path: '/api/admin/recordings/{id}/put-aside',
    access: 'admin',
    summary: 'Snoozes a pending recording until a time, for the caller only; null ends the snooze.',
    params: recordingId,
    body: z.object({ until: z.iso.datetime().nullable() }),
    answers: { 200: messageBody },
    refusals: { 400: 'The time is not within a year', 404: 'Unknown or answered recording' },
  }),
  mine: defineEndpoint({
    method: 'GET',
    path: '/api/feedback',
    access: 'student',
    summary: 'Feedback on the caller’s recordings, newest first.',
    query: idCursorQuery,
    pageSize: RECORDING_HISTORY_PAGE_SIZE,
    answers: { 200: z.array(feedback) },
  }),
  setStatus: defineEndpoint({
    method: 'PATCH',
    path: '/api/feedback/{id}/status',
    access: 'student',
    summary: 'Advances feedback: unread, read, integrated. Setting the current status changes nothing.',
    params: z.object({ id: numericId }),
    body: z.object({ status: feedbackStatus }),
    answers: { 200: feedback },
    refusals: { 400: 'A step backwards', 404: "Unknown, or another student's" },
  }),
  given: defineEndpoint({
    method: 'GET',
    path: '/api/admin/feedback',
    access: 'admin',
    summary: 'All feedback, newest first; `q` searches students and titles.',
    query: idCursorQuery.extend({ q: createLimitedTextSchema(200).optional() }),
    pageSize: RECORDING_HISTORY_PAGE_SIZE,
    answers: { 200: z.array(feedback) },
  }),
  unreadCount: defineEndpoint({
    method: 'GET',
    path: '/api/feedback/unread-count',
    access: 'student',
    summary: "Number of the caller's feedback items that are unread.",
    answers: { 200: countBody },
  }),
  newestUnread: defineEndpoint({
    method: 'GET',
    path: '/api/feedback/newest-unread',
    access: 'student',
    summary: "The caller's newest unread feedback, in brief; null if there is none.",
    answers: { 200: z.object({ newest: feedbackNews.nullable() }) },
  }),
};

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
