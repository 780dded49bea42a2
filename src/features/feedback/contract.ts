import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';
import { fileName, historyQuery, id, peaks, text, time } from '../../platform/contract/shapes.ts';
import { recording } from '../recordings/contract.ts';
import { WRITTEN_FEEDBACK_MAX, feedbackAudioSlot } from './limits.ts';

export const feedbackStatus = z.enum(['unread', 'read', 'integrated']);
export type FeedbackStatus = z.output<typeof feedbackStatus>;

export const feedback = z.object({
  id: z.int(),
  recordingId: z.int(),
  recording: recording.pick({
    id: true,
    title: true,
    message: true,
    audioUrl: true,
    duration: true,
    peaks: true,
    melodyId: true,
    createdAt: true,
    student: true,
  }),
  writtenFeedback: z.string().nullable(),
  audioFeedbackUrl: fileName,
  /** Seconds and waveform of the spoken part; null without one. */
  audioFeedbackDuration: z.int().nullable(),
  peaks,
  status: feedbackStatus,
  createdAt: time,
  /** When the teacher last corrected it; null if never. */
  correctedAt: time.nullable(),
});
export type Feedback = z.output<typeof feedback>;

export const feedbackApi = {
  send: endpoint({
    method: 'POST',
    path: '/api/feedback',
    access: 'admin',
    summary: 'Answers a recording, in writing, in voice or both, and marks it reviewed.',
    body: z.object({
      recordingId: id,
      writtenFeedback: text(WRITTEN_FEEDBACK_MAX).optional(),
      clientId: z.uuid().optional(),
      /** Only read where the server cannot make the waveform itself. */
      peaks: z.string().max(300).optional(),
    }),
    files: { audioFeedback: feedbackAudioSlot },
    answers: { 200: feedback, 201: feedback },
    refusals: {
      404: 'Unknown recording',
      409: 'The recording has been answered already',
      413: '10 MB or more',
      415: 'Not audio that browsers play',
    },
  }),
  mine: endpoint({
    method: 'GET',
    path: '/api/feedback',
    access: 'student',
    summary: 'Feedback on the caller’s recordings, newest first, 200 at a time.',
    query: historyQuery,
    answers: { 200: z.array(feedback) },
  }),
  setStatus: endpoint({
    method: 'PATCH',
    path: '/api/feedback/{id}/status',
    access: 'student',
    summary: 'Moves feedback forward: unread, read, integrated. The same status again changes nothing.',
    params: z.object({ id }),
    body: z.object({ status: feedbackStatus }),
    answers: { 200: feedback },
    refusals: { 400: 'Backwards', 404: "Unknown, or another student's" },
  }),
  given: endpoint({
    method: 'GET',
    path: '/api/admin/feedback',
    access: 'admin',
    summary: 'All feedback given, newest first, 200 at a time.',
    query: historyQuery,
    answers: { 200: z.array(feedback) },
  }),
  unreadCount: endpoint({
    method: 'GET',
    path: '/api/feedback/unread-count',
    access: 'student',
    summary: 'How much feedback the caller has not seen yet.',
    answers: { 200: z.object({ count: z.int() }) },
  }),
};
