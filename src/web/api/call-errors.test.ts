import { afterEach, describe, expect, test, vi } from 'vitest';
import { CancelledError } from '@tanstack/react-query';
import {
  callApi,
  CallError,
  classifyError,
  UNEXPECTED_ERROR_MESSAGE,
  issuesOf,
  NO_CONNECTION_MESSAGE,
  getErrorMessage,
} from './call.ts';
import { classifyUploadFailure } from '../uploads/upload-failures.ts';
import { createUploadConnection } from '../uploads/upload-connection.ts';

afterEach(() => vi.unstubAllGlobals());

const ours = new TypeError('AbortSignal.any is not a function');
const MODULE = 'dynamically imported module: https://songs.example/assets/a.js';
const named = (name: string) => new DOMException('as a browser says it', name);

test.each([
  ['a call without a response', new CallError(0, NO_CONNECTION_MESSAGE), 'no-answer', 'offline'],
  ['a timeout', named('TimeoutError'), 'no-answer', 'offline'],
  ['code that Chromium could not fetch', new TypeError(`Failed to fetch ${MODULE}`), 'no-answer', 'offline'],
  ['code that Firefox could not fetch', new TypeError(`error loading ${MODULE}`), 'no-answer', 'offline'],
  [
    'code that Safari could not fetch',
    new TypeError('Importing a module script failed.'),
    'no-answer',
    'offline',
  ],
  [
    'styles that Vite could not fetch',
    new Error('Unable to preload CSS for /assets/a.css'),
    'no-answer',
    'offline',
  ],
  ['a response from another server', new CallError(502, '<h1>Bad gateway</h1>'), 'refused', 'server'],
  ['a request that timed out on the server', new CallError(408, ''), 'refused', 'offline'],
  ['an expired session', new CallError(401, '{"message":"Unauthorized"}'), 'refused', 'signed-out'],
  ['an aborted request', named('AbortError'), 'aborted', 'fault'],
  ['a passkey dialog that the user closed', named('NotAllowedError'), 'aborted', 'fault'],
  ['a cancelled query', new CancelledError(), 'aborted', 'fault'],
  ['an API that this browser lacks', ours, 'fault', 'fault'],
  ['a full device', named('QuotaExceededError'), 'fault', 'fault'],
  ['code that this browser cannot parse', new SyntaxError('Unexpected token'), 'fault', 'fault'],
  ['a thrown value that is not an Error', 'undefined', 'fault', 'fault'],
] as const)('classifies %s and chooses its message', (_, error, failure, hindrance) => {
  expect([classifyError(error), classifyUploadFailure(error)]).toEqual([failure, hindrance]);
  const sentence = getErrorMessage(error, 'Please try again.');
  expect(sentence === UNEXPECTED_ERROR_MESSAGE).toBe(failure === 'fault');
  expect(/connection/i.test(sentence)).toBe(error instanceof CallError && error.status === 0);
  expect(issuesOf(error)).toEqual([]);
});

describe('a call with fetch', () => {
  const lost = new TypeError('Failed to fetch');
  const fetchThat = (fails: () => Promise<unknown>) => vi.stubGlobal('fetch', fails);

  test.each([
    ['a network error', lost],
    ['an abort by the browser', named('AbortError')],
  ])('a fetch call counts as a lost connection after %s', async (_, error) => {
    fetchThat(() => Promise.reject(error));
    await expect(callApi('GET /api/user')).rejects.toMatchObject({ status: 0 });
    fetchThat(() => Promise.resolve({ status: 200, statusText: '', text: () => Promise.reject(error) }));
    await expect(callApi('GET /api/user')).rejects.toMatchObject({ status: 0 });
  });

  test.each([
    ['a full device', named('QuotaExceededError')],
    ['a response too long for a string', new RangeError('Invalid string length')],
  ])('a fetch call that fails because of %s rejects with the original error', async (_, error) => {
    fetchThat(() => Promise.reject(error));
    await expect(callApi('GET /api/user')).rejects.toBe(error);
  });

  test('an invalid request rejects with fetch’s TypeError, not a connection error', async () => {
    fetchThat(() => Promise.reject(lost));
    const signal = {} as AbortSignal;
    await expect(callApi('GET /api/user', { signal })).rejects.toBe(lost);
  });

  test('a fetch call is classified as aborted if the caller aborts it', async () => {
    const ending = new AbortController();
    fetchThat(() => {
      ending.abort();
      return Promise.reject(ending.signal.reason as Error);
    });
    const failed: unknown = await callApi('GET /api/user', { signal: ending.signal }).catch(
      (error: unknown) => error,
    );
    expect(classifyError(failed)).toBe('aborted');
  });
});

describe('a call that reports its progress', () => {
  class Upload {
    upload = {};
    onabort = () => undefined;
    onerror = () => undefined;
    open = () => undefined;
    setRequestHeader = () => undefined;
    send = () => undefined as void;
  }
  const upload = (signal?: AbortSignal) =>
    callApi('PATCH /api/uploads/{clientId}', {
      ...{ params: { clientId: 'a' }, query: { start: 0 }, bytes: new Blob(['la']) },
      onProgress: () => undefined,
      signal,
    });

  test.each(['onerror', 'onabort'] as const)(
    'an XMLHttpRequest call counts as a lost connection if the browser calls %s',
    async (event) => {
      vi.stubGlobal(
        'XMLHttpRequest',
        class extends Upload {
          override send = () => this[event]();
        },
      );
      await expect(upload()).rejects.toMatchObject({ status: 0 });
    },
  );

  test('an XMLHttpRequest call rejects with an exception that our own code throws', async () => {
    vi.stubGlobal(
      'XMLHttpRequest',
      class extends Upload {
        override send = () => {
          throw ours;
        };
      },
    );
    await expect(upload()).rejects.toBe(ours);
  });
});

test('an exception thrown in a stalled call is not reported as a lost connection', async () => {
  vi.useFakeTimers();
  try {
    const failed = createUploadConnection().withStallTimeout(
      new AbortController().signal,
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(ours), { once: true })),
    );
    const told = expect(failed).rejects.toBe(ours);
    await vi.advanceTimersByTimeAsync(45_000);
    await told;
  } finally {
    vi.useRealTimers();
  }
});
