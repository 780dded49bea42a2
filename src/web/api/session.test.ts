import { expect, test, vi } from 'vitest';
import { getPageUserId } from './page-user.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';

const answerWith = (status: number, body: object) =>
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(body), { status })));
const fetchSession = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });

test('the user of a page stays the same when another tab signs somebody else in', async () => {
  answerWith(200, { id: 'tashi' });
  await fetchSession();
  answerWith(412, { message: 'Somebody else' });
  expect(await fetchSession()).toEqual({ id: 'tashi' });
  expect(getPageUserId()).toBe('tashi');
});
