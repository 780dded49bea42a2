import { z } from 'zod';
import { defineEndpoint } from '#shared/endpoint.ts';
import {
  countBody,
  idCursorQuery,
  numericId,
  messageBody,
  createRequiredSingleLineTextSchema,
  timestamp,
} from '#shared/schemas.ts';
import { MAX_MARK_TIME_SECONDS } from '#features/feedback/limits.ts';
import { recording } from '#features/recordings/contract.ts';
import { MAX_TEACHING_NOTE_LENGTH } from '../limits.ts';
import {
  AGREEMENTS_PAGE_SIZE,
  MAX_OPEN_AGREEMENT_REQUESTS,
  MAX_SHARED_PASSAGE_SECONDS,
  MIN_SHARED_PASSAGE_SECONDS,
  MAX_SIGNATURE_LENGTH,
} from './limits.ts';

export const AGREEMENT_STATES = ['asked', 'agreed', 'declined', 'revoked'] as const;

const agreement = z.object({
  id: z.int(),
  recordingId: z.int(),
  start: z.number().describe('In seconds from the start of the recording.'),
  end: z.number(),
  wantsName: z.boolean().describe('Whether the student is asked for their name too.'),
  state: z.enum(AGREEMENT_STATES),
  name: z.string().nullable().describe('The name shown beside the passage; null for none.'),
  askedAt: timestamp,
  answeredAt: timestamp
    .nullable()
    .describe('In a question: when the student agreed before a restore, which asks again.'),
});

/** Request to share a passage next to a teaching note, with the student's answer, as the student sees it. */
export const ownAgreement = agreement
  .extend({
    recording: recording.pick({
      title: true,
      audioUrl: true,
      audioCopies: true,
      duration: true,
      peaks: true,
    }),
    noteText: z
      .string()
      .nullable()
      .describe('The current words of the note; null if the student may not hear the melody.'),
    nameToShow: z.string().describe('The name that would be shown.'),
  })
  .meta({ id: 'OwnAgreement' });
export type OwnAgreement = z.output<typeof ownAgreement>;

/** Request to share a passage, with the student's answer, as teachers see it. */
export const requestedAgreement = agreement
  .extend({ noteId: z.int(), student: recording.shape.student })
  .meta({ id: 'AskedAgreement' });
export type RequestedAgreement = z.output<typeof requestedAgreement>;

const second = z.number().min(0).max(MAX_MARK_TIME_SECONDS);
const ofAgreement = z.object({ id: numericId });

export const agreementsApi = {
  ask: defineEndpoint({
    method: 'POST',
    path: '/api/admin/agreements',
    access: 'admin',
    summary: `Asks a student whether a passage of a recording, ${MIN_SHARED_PASSAGE_SECONDS} to ${MAX_SHARED_PASSAGE_SECONDS} seconds, may be heard with a teaching note.`,
    body: z.object({
      clientId: z.uuid().describe('Idempotency key: a repeated call asks no second time.'),
      noteId: numericId,
      recordingId: numericId,
      start: second,
      end: second,
      wantsName: z.boolean(),
    }),
    answers: { 200: requestedAgreement, 201: requestedAgreement },
    refusals: {
      404: 'Unknown note or recording',
      409: `Asked before, the note has a passage or belongs to another melody, the recording was not answered, or the student has ${MAX_OPEN_AGREEMENT_REQUESTS} questions or can't sign in`,
    },
  }),
  asked: defineEndpoint({
    method: 'GET',
    path: '/api/admin/agreements',
    access: 'admin',
    summary: 'Questions to students, newest first; with `recordingId`, only about that recording.',
    query: idCursorQuery.extend({ recordingId: numericId.optional() }),
    pageSize: AGREEMENTS_PAGE_SIZE,
    answers: { 200: z.array(requestedAgreement) },
  }),
  withdraw: defineEndpoint({
    method: 'DELETE',
    path: '/api/admin/agreements/{id}',
    access: 'admin',
    summary: 'Withdraws a question, or removes the passage from its note.',
    params: ofAgreement,
    answers: { 200: messageBody },
    refusals: { 404: 'Unknown', 409: 'Already declined or revoked' },
  }),
  mine: defineEndpoint({
    method: 'GET',
    path: '/api/agreements',
    access: 'student',
    summary: "The caller's questions and agreements, newest first.",
    query: idCursorQuery,
    pageSize: AGREEMENTS_PAGE_SIZE,
    answers: { 200: z.array(ownAgreement) },
  }),
  waiting: defineEndpoint({
    method: 'GET',
    path: '/api/agreements/waiting',
    access: 'student',
    summary: 'Number of questions the caller has not answered.',
    answers: { 200: countBody },
  }),
  agree: defineEndpoint({
    method: 'POST',
    path: '/api/agreements/{id}/agree',
    access: 'student',
    // Rejects sessions that were started with a teacher's code. Such sessions may still decline or revoke,
    // because neither can expose the student.
    isForOwnerOnly: true,
    summary:
      'Agrees in writing. From then on everyone who may hear the melody can hear the passage with the note.',
    params: ofAgreement,
    body: z.object({
      signature: createRequiredSingleLineTextSchema(MAX_SIGNATURE_LENGTH, 'Please type your name.').describe(
        "The name as the student types it. Stored with the date and in the student's archive; not shown beside the passage.",
      ),
      withName: z.boolean().describe('Whether to show the name beside the passage, if that was asked.'),
      noteText: z
        .string()
        .max(MAX_TEACHING_NOTE_LENGTH)
        .nullable()
        .optional()
        .describe('The words of the note as the student read them; refused if they have changed.'),
    }),
    answers: { 200: messageBody },
    refusals: {
      404: "Unknown, withdrawn, or another student's",
      409: 'Declined or revoked before, or the note has changed',
      415: 'The recording can’t be decoded here',
    },
  }),
  decline: defineEndpoint({
    method: 'POST',
    path: '/api/agreements/{id}/decline',
    access: 'student',
    summary: 'Declines; the same question is not asked again.',
    params: ofAgreement,
    answers: { 200: messageBody },
    refusals: { 404: "Unknown, withdrawn, or another student's", 409: 'Agreed before' },
  }),
  revoke: defineEndpoint({
    method: 'POST',
    path: '/api/agreements/{id}/revoke',
    access: 'student',
    summary: 'Revokes an agreement: the passage is deleted at once.',
    params: ofAgreement,
    answers: { 200: messageBody },
    refusals: { 404: "Unknown, withdrawn, or another student's", 409: 'There is no agreement' },
  }),
};
