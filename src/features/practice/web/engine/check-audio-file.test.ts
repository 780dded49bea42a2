import { afterEach, expect, test, vi } from 'vitest';
import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import { checkAudioFile } from './check-audio-file.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['available', 206, 'x', 'there'],
  ['deleted or not accessible', 404, '{"message":"Not found"}', 'gone'],
  ['damaged on the server', 503, JSON.stringify({ message: FILE_DAMAGED_MESSAGE }), 'damaged'],
  ['in an unreachable store', 503, '{"message":"Please try again."}', 'unreachable'],
  ['behind a proxy that can’t reach the server', 503, '<h1>Service Unavailable</h1>', 'unreachable'],
  ['on a failing server', 500, '{"message":"Something went wrong"}', 'unreachable'],
  ['requested too often', 429, '{"message":"Please wait."}', 'unreachable'],
])('recognizes a file that is %s (status %i)', async (_, status, body, reach) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
  expect(await checkAudioFile('/api/files/song?type=audio')).toBe(reach);
});

test('a redirect to the file store counts as available', async () => {
  const asked: RequestInit[] = [];
  vi.stubGlobal('fetch', (_: string, options: RequestInit) => {
    asked.push(options);
    return Promise.resolve({ type: 'opaqueredirect', ok: false, status: 0, body: null });
  });
  expect(await checkAudioFile('/api/files/song?type=audio')).toBe('there');
  expect(asked).toMatchObject([{ redirect: 'manual' }]);
});

test('a file counts as unreachable after a network error or a timeout', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await checkAudioFile('/api/files/song?type=audio')).toBe('unreachable');
  vi.stubGlobal('fetch', () => Promise.reject(new DOMException('over', 'TimeoutError')));
  expect(await checkAudioFile('/api/files/song?type=audio')).toBe('unreachable');
});

test('an unexpected error is logged and returned as a fault, not as a lost connection', async () => {
  const fault = new RangeError('too long');
  const told = vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.stubGlobal('fetch', () => Promise.reject(fault));
  expect(await checkAudioFile('/api/files/song?type=audio')).toBe('fault');
  expect(told.mock.calls).toEqual([[fault]]);
});
