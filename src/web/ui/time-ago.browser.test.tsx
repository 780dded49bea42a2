import { afterEach, expect, test, vi } from 'vitest';
import { aRecording, aTeacher } from '#testing/browser/community.ts';
import { inboxOf } from '#testing/browser/inbox.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page } from '#testing/browser/screen.ts';

afterEach(() => void vi.useRealTimers());

test('all times on a page advance together', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  await page.viewport(1440, 900);
  inboxOf(aRecording('First', { createdAt: new Date(Date.now() - 5 * 60_000) }));
  await renderPage('/admin', { user: aTeacher() });
  const times = (said: string) => page.css('main time').filter({ hasText: said });
  await expect.element(times('5 minutes ago').first()).toBeVisible();
  const count = times('5 minutes ago').elements().length;
  expect(count).toBeGreaterThan(1);
  vi.advanceTimersByTime(60_000);
  await expectCount(times('6 minutes ago'), count);
});
