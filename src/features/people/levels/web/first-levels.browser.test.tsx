import { expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { buildTeacher, TEST_LEVELS } from '#testing/browser/community.ts';
import { mockEndpoint, getCalledPaths, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, toastItem } from '#testing/browser/screen.ts';

const user = buildTeacher();

test('ticks “Open to All” in forms that were opened before the default levels existed', async () => {
  let release = () => {};
  const seen = new Promise<void>((resolve) => (release = resolve));
  mockEndpoint(api.levels.all, []);
  mockEndpoint(api.levels.initialise, async () => {
    await seen;
    mockEndpoint(api.levels.all, TEST_LEVELS);
    return { message: 'Initialised' };
  });
  await renderPage('/admin/invite', { user });
  await expect.element(page.getByText('There are no transmission levels yet.').first()).toBeVisible();
  release();
  await expectCount(page.getByRole('checkbox', { name: 'Open to All', checked: true }), 2);
  expect(getCalls(api.levels.initialise)).toHaveLength(1);
});

test('does not show a toast if the default levels could not be created', async () => {
  // Preloaded, so that a toast would show immediately.
  await import('#web/ui/toast-viewport.tsx');
  const noted = vi.spyOn(console, 'debug').mockReturnValue();
  rejectCalls(api.levels.initialise, 500);
  await renderPage('/admin/invite', { user });
  await expect.poll(() => noted.mock.lastCall?.[0]).toBe('Initialising did not succeed:');
  await expect.element(page.getByRole('heading', { name: 'Invite Users' })).toBeVisible();
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  expect(toastItem.elements()).toEqual([]);
});

test('a student’s page does not create levels or call admin endpoints', async () => {
  await renderPage('/past-recordings');
  await expect.element(page.getByText('No recordings yet')).toBeVisible();
  await expect.poll(getCalledPaths).toContain('/api/feedback/unread-count');
  expect(getCalledPaths().filter((path) => path === '/api/init' || path.startsWith('/api/admin/'))).toEqual(
    [],
  );
});
