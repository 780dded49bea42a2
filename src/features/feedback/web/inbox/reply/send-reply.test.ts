import { beforeEach, expect, test, vi } from 'vitest';
import { CallError, type callApi as realCall } from '#web/api/call.ts';
import type { Feedback } from '#features/feedback/contract.ts';
import { SENDING_CANCELLED_MESSAGE } from '#features/feedback/limits.ts';
import {
  clearSendAttempts,
  clearSendAttemptsIfUndone,
  setSendAttemptHeld,
  renewIdempotencyKey,
  sendReply,
} from './send-reply.ts';

const call = vi.hoisted(() => vi.fn());
vi.mock('#web/api/call.ts', async (original) => ({
  ...(await original<object>()),
  callApi: call as typeof realCall,
}));

type Form = {
  clientId: string;
  supersedes?: string;
  writtenFeedback?: string;
  marks?: string;
  uploadId?: string;
};

/** The fake server: calls received, whether responses are lost, and the feedback that it returns. */
const server = { sent: [] as Form[], isLost: false, has: {} as Partial<Feedback> };
const place = { userId: 'a', recordingId: 0 };

beforeEach(() => {
  place.recordingId += 1;
  Object.assign(server, { sent: [], isLost: false, has: { correctedAt: null, audioFeedbackUrl: null } });
  call.mockImplementation((_: string, { form }: { form: Form }) => {
    server.sent.push(form);
    return server.isLost ? Promise.reject(new Error('No connection.')) : Promise.resolve(server.has);
  });
});

const reply = (text: string, sound: string | null = null) => ({ text, marks: [], sound, peaks: null });
const send = (...what: Parameters<typeof reply>) => sendReply(place, reply(...what));
const sendWithoutResponse = async (...what: Parameters<typeof reply>) => {
  server.isLost = true;
  await expect(send(...what)).rejects.toThrow('No connection.');
  server.isLost = false;
};
const keys = () => server.sent.map(({ clientId }) => clientId);

test('sending the same content again repeats the call with the same key', async () => {
  await sendWithoutResponse('The same words', 'voice');
  expect(await send(' The same words\n', 'voice')).toMatchObject({ isCorrected: false });
  expect(new Set(keys()).size).toBe(1);
  expect(server.sent[1]).toEqual(server.sent[0]);
});

test('changed content gets a new key and supersedes earlier versions', async () => {
  await sendWithoutResponse('Words');
  await sendWithoutResponse('Other words');
  await sendWithoutResponse('Other words', 'voice');
  await sendWithoutResponse('Other words', 'another voice');
  const marks = [{ start: 1, end: null, text: 'softer' }];
  await sendReply(place, { ...reply('Other words', 'another voice'), marks });
  expect(new Set(keys()).size).toBe(5);
  expect(server.sent.map(({ supersedes }) => supersedes)).toEqual([
    undefined,
    ...[1, 2, 3, 4].map((count) => keys().slice(0, count).join()),
  ]);
});

test('reports that a reply was corrected only if an earlier version was sent', async () => {
  server.has = { correctedAt: '2026-11-20T10:00:00.000Z', audioFeedbackUrl: null };
  expect(await send('Words')).toMatchObject({ isCorrected: false });
  expect(await send('Other words')).toMatchObject({ isCorrected: true });
});

test('reports audio that the server still has from an earlier version', async () => {
  server.has = { correctedAt: null, audioFeedbackUrl: 'voice.wav' };
  expect(await send('Words', 'voice')).toMatchObject({ hasOlderSound: false });
  expect(await send('Words')).toMatchObject({ hasOlderSound: true });
});

test('a new reply after a successful one is sent without `supersedes`', async () => {
  await send('Words');
  clearSendAttempts(place.userId, place.recordingId);
  await send('Other words');
  expect(server.sent[1]).not.toHaveProperty('supersedes');
});

test('a held reply keeps its key for retries and gets a new key when Send is pressed', async () => {
  await send('Words', 'voice');
  setSendAttemptHeld(place.userId, place.recordingId);
  await send('Words', 'voice');
  renewIdempotencyKey(place.userId, place.recordingId);
  await send('Words', 'voice');
  await send('Words', 'voice');
  const [first, retried, pressed, again] = keys();
  expect([retried, again]).toEqual([first, pressed]);
  expect(pressed).not.toBe(first);
  expect(server.sent[2]!.supersedes).toBe(first);
});

test('a reply undone in another browser gets a new key when it is sent again', async () => {
  await send('Words');
  const refusal = new CallError(409, JSON.stringify({ message: SENDING_CANCELLED_MESSAGE }));
  clearSendAttemptsIfUndone(refusal, place.userId, place.recordingId);
  await send('Words');
  expect(new Set(keys()).size).toBe(2);
});
