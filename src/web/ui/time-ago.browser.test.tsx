import { afterEach, expect, test, vi } from 'vitest';
import { buildRecording, buildTeacher } from '#testing/browser/community.ts';
import { mockInbox } from '#testing/browser/inbox.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page } from '#testing/browser/screen.ts';

afterEach(() => void vi.useRealTimers());

test('all relative times on a page advance together', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await page.viewport(1440, 900);
  mockInbox(buildRecording('First', { createdAt: new Date(Date.now() - 5 * 60_000) }));
  await renderPage('/admin', { user: buildTeacher() });
  const times = (said: string) => page.css('main time').filter({ hasText: said });
  await expect.element(times('5 minutes ago').first()).toBeVisible();
  const count = times('5 minutes ago').elements().length;
  expect(count).toBeGreaterThan(1);
  vi.advanceTimersByTime(60_000);
  await expectCount(times('6 minutes ago'), count);
});
