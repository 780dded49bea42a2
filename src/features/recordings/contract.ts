import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import {
  countBody,
  createPageCursorSchema,
  cursorTime,
  idCursorQuery,
  numericId,
  messageBody,
  waveformPeaks,
  createRequiredSingleLineTextSchema,
  soundCopies,
  createLimitedTextSchema,
  timestamp,
} from '#shared/schemas.ts';
import { personName } from '#features/accounts/contract.ts';
import {
  RECORDING_HISTORY_PAGE_SIZE,
  PENDING_RECORDINGS_PAGE_SIZE,
  MAX_RECORDING_MESSAGE_LENGTH,
  MISSING_RECORDING_TITLE_MESSAGE,
  MAX_RECORDING_TITLE_LENGTH,
  recordingAudioSlot,
} from './limits.ts';

export const recordingStatus = z.enum(['pending', 'reviewed']);

export const recording = z
  .object({
    id: z.int(),
    title: z.string(),
    message: z.string().nullable(),
    audioUrl: z.string().describe("The file's name for `/api/files/`."),
    audioCopies: soundCopies,
    status: recordingStatus,
    createdAt: timestamp,
    duration: z.int().describe('Whole seconds, as measured in the file.'),
    peaks: waveformPeaks,
    melodyId: z.int().nullable(),
    attempt: z
      .int()
      .nullable()
      .describe(
        "The number of the recording among the student's recordings of its melody, from 1; null without a melody.",
      ),
    student: personName,
  })
  .meta({
    id: 'Recording',
    examples: [
      {
        id: 12,
        title: 'Refuge, second line',
        message: 'Is the last note too high?',
        audioUrl: '9c1185a5c5e9fc54.wav',
        audioCopies: ['small'],
        status: 'pending',
        createdAt: '2026-11-20T06:30:00.000Z',
        duration: 42,
        peaks: null,
        melodyId: 7,
        attempt: 2,
        student: { firstName: 'Tashi', lastName: 'Dolma', username: 'tashi' },
      },
    ],
  });
export type Recording = z.output<typeof recording>;

const lineDeviations = z
  .object({
    leftOut: z.array(z.int()),
    repeated: z.array(z.object({ line: z.int(), times: z.int() })),
  })
  .meta({ id: 'SungOtherwise' })
  .describe(
    'Numbers of the sung lines, from 1, that were left out or sung more than once. Absent if that is not certain.',
  );
export type SungLineDeviations = z.output<typeof lineDeviations>;

export const pendingRecording = recording
  .extend({
    sungOtherwise: lineDeviations.optional(),
    isStudentDisabled: z.literal(true).optional().describe("Whether the student's account is disabled."),
  })
  .meta({ id: 'PendingRecording' });
export type PendingRecording = z.output<typeof pendingRecording>;

const pending = {
  method: 'GET',
  access: 'admin',
  summary: 'The pending recordings, oldest first.',
  query: z.object({ after: createPageCursorSchema(z.tuple([cursorTime, z.int()])).optional() }),
  pageSize: PENDING_RECORDINGS_PAGE_SIZE,
} as const;

export const recordingsApi = {
  submit: defineEndpoint({
    method: 'POST',
    path: '/api/recordings',
    access: 'student',
    summary: 'Submits a recording. The same `clientId` again answers 200 with the existing recording.',
    body: z.object({
      title: createRequiredSingleLineTextSchema(MAX_RECORDING_TITLE_LENGTH, MISSING_RECORDING_TITLE_MESSAGE),
      message: createLimitedTextSchema(MAX_RECORDING_MESSAGE_LENGTH).optional(),
      melodyId: z.preprocess((value) => (value === '' ? undefined : value), numericId.optional()),
      clientId: z.uuid().optional(),
      uploadId: z.uuid().optional().describe('Instead of the file: the `clientId` of a complete upload.'),
      peaks: z.string().max(300).optional().describe("Used only if the server can't compute the waveform."),
    }),
    files: { audio: recordingAudioSlot },
    answers: { 200: recording, 201: recording },
    refusals: {
      400: 'No audio, or withdrawn since',
      409: 'The upload is not complete',
      413: '10 MB or more',
      415: 'Not audio that browsers can play',
      429: 'The student has reached the limit for 24 hours; with `Retry-After`',
    },
  }),
  mine: defineEndpoint({
    method: 'GET',
    path: '/api/student/recordings',
    access: 'student',
    summary: "The caller's recordings, newest first.",
    query: idCursorQuery,
    pageSize: RECORDING_HISTORY_PAGE_SIZE,
    answers: { 200: z.array(recording) },
  }),
  countMine: defineEndpoint({
    method: 'GET',
    path: '/api/student/recordings/count',
    access: 'student',
    summary: 'How many recordings of a melody the caller has sent; 0 for an unknown melody.',
    query: z.object({ melodyId: numericId }),
    answers: { 200: countBody },
  }),
  waiting: defineEndpoint({
    method: 'GET',
    path: '/api/student/recordings/waiting',
    access: 'student',
    summary: "How many of the caller's recordings are pending, and the title of the newest.",
    answers: { 200: countBody.extend({ title: z.string().nullable() }).meta({ id: 'WaitingRecordings' }) },
  }),
  withdraw: defineEndpoint({
    method: 'DELETE',
    path: '/api/recordings/{id}',
    access: 'student',
    summary: "Withdraws one of the caller's pending recordings and deletes its file.",
    params: z.object({ id: numericId }),
    answers: { 200: messageBody },
    refusals: { 404: "Unknown, or another student's", 409: 'It has been answered' },
  }),
  pendingForBadge: defineEndpoint({
    ...pending,
    path: '/api/admin/pending-recordings',
    answers: { 200: z.array(pendingRecording) },
  }),
  pendingForInbox: defineEndpoint({
    ...pending,
    path: '/api/recordings/pending',
    answers: { 200: z.array(pendingRecording) },
  }),
  countPending: defineEndpoint({
    method: 'GET',
    path: '/api/admin/pending-recordings/count',
    access: 'admin',
    summary: 'Number of pending recordings.',
    answers: { 200: countBody },
  }),
};
