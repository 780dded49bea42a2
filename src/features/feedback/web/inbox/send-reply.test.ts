import { beforeEach, expect, test, vi } from 'vitest';
import type { call as realCall } from '../../../../platform/web/call.ts';
import type { Feedback } from '../../contract.ts';
import { CorrectedSince, sendReply } from './send-reply.ts';

const call = vi.hoisted(() => vi.fn());
vi.mock('../../../../platform/web/call.ts', () => ({ call: call as typeof realCall }));

type Form = {
  clientId?: string;
  writtenFeedback?: string;
  marks?: string;
  uploadId?: string;
  basedOn?: string;
};

/** What the server has; `loses` says of how many calls the answer does not come back. */
const server = { has: null as Feedback | null, loses: 0, calls: [] as [string, Form][] };
let recordingId = 0;

beforeEach(() => {
  recordingId += 1;
  Object.assign(server, { has: null, loses: 0, calls: [] });
  call.mockImplementation(async (route: string, { form }: { form: Form }) => {
    server.calls.push([route, form]);
    const { has } = server;
    if (!has || route.startsWith('PUT'))
      server.has = {
        ...has,
        id: 7,
        writtenFeedback: form.writtenFeedback ?? null,
        marks: JSON.parse(form.marks ?? '[]'),
        audioFeedbackUrl: form.uploadId ? `${form.uploadId}.wav` : (has?.audioFeedbackUrl ?? null),
        correctedAt: has ? '2026-11-20T10:00:00.000Z' : null,
      } as Feedback;
    if (server.loses > 0) {
      server.loses -= 1;
      throw new Error('No connection.');
    }
    return server.has;
  });
});

const reply = (text: string, sound: string | null = null) => ({ text, marks: [], sound, peaks: null });
const send = (...what: Parameters<typeof reply>) => sendReply({ userId: 'a', recordingId }, reply(...what));
const lose = async (...what: Parameters<typeof reply>) => {
  server.loses = 1;
  await expect(send(...what)).rejects.toThrow('No connection.');
};

test('a voice that was added after a lost answer is sent as a correction', async () => {
  await lose('The same words');
  expect(await send('The same words', 'voice')).toMatchObject({ isCorrected: true });
  expect(server.has).toMatchObject({ writtenFeedback: 'The same words', audioFeedbackUrl: 'voice.wav' });
  const [first, second, correction] = server.calls;
  expect(second![1].clientId).toBe(first![1].clientId);
  expect(correction).toMatchObject(['PUT /api/feedback/{id}', { uploadId: 'voice', basedOn: '' }]);
});

test('other words, other marks and another voice are sent too', async () => {
  await lose('Before', 'first');
  await send('After', 'first');
  expect(server.has).toMatchObject({ writtenFeedback: 'After' });

  recordingId += 1;
  server.has = null;
  await lose('Words', 'first');
  await send('Words', 'second');
  expect(server.has).toMatchObject({ audioFeedbackUrl: 'second.wav' });

  recordingId += 1;
  server.has = null;
  await lose('Words');
  const marks = [{ start: 1, end: null, text: 'softer' }];
  await sendReply({ userId: 'a', recordingId }, { ...reply('Words'), marks });
  expect(server.has).toMatchObject({ marks });
});

test('the same once more is no correction', async () => {
  await lose('The same words\r\nonce more', 'voice');
  expect(await send('The same words\nonce more', 'voice')).toMatchObject({ isCorrected: false });
  expect(server.calls.map(([route]) => route)).toEqual(['POST /api/feedback', 'POST /api/feedback']);
});

test('a correction whose answer was lost is sent once', async () => {
  await lose('The same words');
  server.loses = 0;
  const plain = call.getMockImplementation()!;
  call.mockImplementation(async (route: string, options: unknown) => {
    const answer: unknown = await plain(route, options);
    if (route.startsWith('PUT')) throw new Error('No connection.');
    return answer;
  });
  await expect(send('The same words', 'voice')).rejects.toThrow('No connection.');
  expect(await send('The same words', 'voice')).toMatchObject({ isCorrected: false });
  expect(server.calls.filter(([route]) => route.startsWith('PUT'))).toHaveLength(1);
});

test('what somebody has corrected in between is not overwritten', async () => {
  await lose('Before');
  server.has = { ...server.has!, writtenFeedback: 'Elsewhere', correctedAt: '2026-11-20T10:00:00.000Z' };
  await expect(send('After', 'voice')).rejects.toThrow(CorrectedSince);
  expect(server.has.writtenFeedback).toBe('Elsewhere');
});

test('a voice that was taken away meanwhile stays where it is, and that is said', async () => {
  await lose('Words', 'voice');
  expect(await send('Words')).toMatchObject({ isCorrected: false, hasOlderSound: true });
  expect(server.has).toMatchObject({ audioFeedbackUrl: 'voice.wav' });
});
