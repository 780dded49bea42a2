import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const said: string[] = [];
vi.mock('../ui/toasts.ts', () => ({ toast: ({ title }: { title: string }) => void said.push(title) }));
const { queryClient, createQueryClientForRequest } = await import('./query-client.ts');
const { CallError } = await import('./call.ts');

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { assign: () => undefined });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('queries never go stale, refetch or retry by themselves', () => {
  for (const client of [queryClient, createQueryClientForRequest()]) {
    const { queries, mutations } = client.getDefaultOptions();
    expect(queries).toMatchObject({
      staleTime: Infinity,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    });
    expect(queries).not.toHaveProperty('refetchInterval');
    expect(mutations).toMatchObject({ retry: false });
  }
});

test('a mutation that fails with 401 reports its own error, then the lost session', async () => {
  queryClient.setQueryData(['/api/user'], { id: 'somebody' });
  const lost = new CallError(401, '{"message":"Unauthorized"}');
  const saving = queryClient.getMutationCache().build(queryClient, {
    mutationFn: () => Promise.reject(lost),
    onError: () => void said.push('Failed to save'),
  });
  await expect(saving.execute(undefined)).rejects.toBe(lost);
  expect(said).toEqual(['Failed to save', 'Unauthorized']);
});
