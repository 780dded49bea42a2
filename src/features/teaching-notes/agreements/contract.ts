import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';
import { count, historyQuery, id, message, requiredText, time } from '#shared/shapes.ts';
import { MARK_SECONDS_MAX } from '#features/feedback/limits.ts';
import { recording } from '#features/recordings/contract.ts';
import { TEACHING_NOTE_TEXT_MAX } from '../limits.ts';
import {
  AGREEMENTS_PAGE,
  ASKED_MAX,
  PASSAGE_SECONDS_MAX,
  PASSAGE_SECONDS_MIN,
  SIGNATURE_MAX,
} from './limits.ts';

export const AGREEMENT_STATES = ['asked', 'agreed', 'declined', 'revoked'] as const;

const agreement = z.object({
  id: z.int(),
  recordingId: z.int(),
  start: z.number().describe('In seconds of the recording.'),
  end: z.number(),
  wantsName: z.boolean().describe('Whether the name is asked for, too.'),
  state: z.enum(AGREEMENT_STATES),
  name: z.string().nullable().describe('What is shown beside the passage; null for none.'),
  askedAt: time,
  answeredAt: time
    .nullable()
    .describe('Of a question: when the student agreed before a restore, which asks again.'),
});

/** Request to share a passage with a teaching note, or the student's agreement to it. */
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
      .describe('The words of the note as they are now; null where the student may not hear the melody.'),
    nameToShow: z.string().describe('What would be shown as the name.'),
  })
  .meta({ id: 'OwnAgreement' });
export type OwnAgreement = z.output<typeof ownAgreement>;

/** The same request or agreement as a teacher sees it. */
export const askedAgreement = agreement
  .extend({ noteId: z.int(), student: recording.shape.student })
  .meta({ id: 'AskedAgreement' });
export type AskedAgreement = z.output<typeof askedAgreement>;

const second = z.number().min(0).max(MARK_SECONDS_MAX);
const ofAgreement = z.object({ id });

export const agreementsApi = {
  ask: endpoint({
    method: 'POST',
    path: '/api/admin/agreements',
    access: 'admin',
    summary: `Asks a student whether a passage of a recording, ${PASSAGE_SECONDS_MIN} to ${PASSAGE_SECONDS_MAX} seconds, may be heard with a teaching note.`,
    body: z.object({
      clientId: z.uuid().describe('Idempotency key: a repeated call asks no second time.'),
      noteId: id,
      recordingId: id,
      start: second,
      end: second,
      wantsName: z.boolean(),
    }),
    answers: { 200: askedAgreement, 201: askedAgreement },
    refusals: {
      404: 'Unknown note or recording',
      409: `Asked before; the note has a passage; it is of another melody; the recording was not answered; or the student has ${ASKED_MAX} questions, or can’t sign in`,
    },
  }),
  asked: endpoint({
    method: 'GET',
    path: '/api/admin/agreements',
    access: 'admin',
    summary: 'What students were asked, newest first; of one recording with `recordingId`.',
    query: historyQuery.extend({ recordingId: id.optional() }),
    pageSize: AGREEMENTS_PAGE,
    answers: { 200: z.array(askedAgreement) },
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/admin/agreements/{id}',
    access: 'admin',
    summary: 'Withdraws a question, or takes the passage out of its note.',
    params: ofAgreement,
    answers: { 200: message },
    refusals: { 404: 'Unknown', 409: 'Declined or revoked, which stays' },
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/agreements',
    access: 'student',
    summary: 'What the caller is asked, and agrees to, newest first.',
    query: historyQuery,
    pageSize: AGREEMENTS_PAGE,
    answers: { 200: z.array(ownAgreement) },
  }),
  waiting: endpoint({
    method: 'GET',
    path: '/api/agreements/waiting',
    access: 'student',
    summary: 'How many questions the caller has not answered.',
    answers: { 200: count },
  }),
  agree: endpoint({
    method: 'POST',
    path: '/api/agreements/{id}/agree',
    access: 'student',
    // Declining and revoking stay allowed in sessions started with a teacher's code: neither can expose the student.
    isForOwnerOnly: true,
    summary:
      'Agrees in writing: from then on the passage is heard with the note, by all who may hear its melody.',
    params: ofAgreement,
    body: z.object({
      signature: requiredText(SIGNATURE_MAX, 'Please type your name.').describe(
        'The name as the student types it. Kept with the day, and in the student’s archive; not shown beside the passage.',
      ),
      withName: z.boolean().describe('Whether the name is shown beside the passage, if that was asked.'),
      noteText: z
        .string()
        .max(TEACHING_NOTE_TEXT_MAX)
        .nullable()
        .optional()
        .describe('The words of the note as the student read them. If they have changed, this is refused.'),
    }),
    answers: { 200: message },
    refusals: {
      404: "Unknown, withdrawn, or another student's",
      409: 'Declined or revoked before, or the note says something else by now',
      415: 'The recording can’t be decoded here',
    },
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/agreements/{id}/decline',
    access: 'student',
    summary: 'Declines; the same is not asked again.',
    params: ofAgreement,
    answers: { 200: message },
    refusals: { 404: "Unknown, withdrawn, or another student's", 409: 'Agreed before' },
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/agreements/{id}/revoke',
    access: 'student',
    summary: 'Revokes an agreement: the passage is deleted at once.',
    params: ofAgreement,
    answers: { 200: message },
    refusals: { 404: "Unknown, withdrawn, or another student's", 409: 'Not agreed to' },
  }),
};
