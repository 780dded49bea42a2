import { expect, test } from 'vitest';
import { createResponseCache } from './response-cache.ts';

const body = (text: string) => () => Promise.resolve(Buffer.from(text));

test('creates a response body once for concurrent requests', async () => {
  const bodyOf = createResponseCache();
  let made = 0;
  const make = () => {
    made += 1;
    return body('list')();
  };
  const both = await Promise.all([bodyOf('a', make), bodyOf('a', make)]);
  await bodyOf('a', make);
  expect([made, ...both.map(String)]).toEqual([1, 'list', 'list']);
});

test('creates a response body again at the next request if its creation failed', async () => {
  const bodyOf = createResponseCache();
  await expect(bodyOf('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(String(await bodyOf('a', body('list')))).toBe('list');
});

test('evicts the least recently used response bodies to make room', async () => {
  const bodyOf = createResponseCache(8);
  await bodyOf('a', body('four'));
  await bodyOf('b', body('four'));
  await bodyOf('a', body('not made again'));
  await bodyOf('c', body('four'));
  expect(String(await bodyOf('a', body('again')))).toBe('four');
  expect(String(await bodyOf('b', body('new')))).toBe('new');
});
