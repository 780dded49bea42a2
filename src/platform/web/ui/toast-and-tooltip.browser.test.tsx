import { afterEach, expect, test, vi } from 'vitest';
import type { Locator } from 'vitest/browser';
import { aTeacher } from '../../../testing/browser/community.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { page, press, toast, userEvent } from '../../../testing/browser/screen.ts';

const user = aTeacher();

/** From here on time goes only where it is told to. */
const stopTime = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: Date.now() });

afterEach(() => void vi.useRealTimers());

/** Looks frame by frame: `expect.poll` lets the time go on. */
async function expectSoon(look: () => unknown, expected: unknown) {
  for (let frames = 0; frames < 300 && look() !== expected; frames += 1)
    await new Promise(requestAnimationFrame);
  expect(look()).toBe(expected);
}
const expectCount = (locator: Locator, count: number) => expectSoon(() => locator.elements().length, count);
const expectToast = (text: string) =>
  expectSoon(() => toast.elements().some(({ textContent }) => textContent.includes(text)), true);

test('one toast shows at once, for five seconds; F8 leads to it, and a swipe of 50 px sends it away', async () => {
  await page.viewport(1440, 900);
  await renderPage('/admin/invite', { user });
  const send = page.getByRole('button', { name: 'Send 0 Invites' });
  const place = () => toast.element().closest('ol')!.getBoundingClientRect();
  await expect.element(send).toBeVisible();
  stopTime();

  await press(page.getByRole('button', { name: 'Create User' }), 'Enter');
  await expectToast('Please fill in all fields and select');
  vi.advanceTimersByTime(4_000);
  await press(send, 'Enter');
  await expectToast('for at least one invite');
  await expectCount(toast, 1);
  expect(place()).toMatchObject({ width: 420, bottom: 900 });
  // At the end, but for the room of a scroll bar.
  expect(place().x).toBeGreaterThanOrEqual(1440 - 420 - 20);
  vi.advanceTimersByTime(4_999);
  await expectCount(toast, 1);
  vi.advanceTimersByTime(1);
  await expectCount(toast, 0);

  await page.viewport(390, 844);
  await press(send, 'Enter');
  await expectCount(toast, 1);
  expect(place()).toMatchObject({ x: 0, y: 0 });
  await userEvent.keyboard('{F8}');
  await expectCount(page.css('ol:focus, ol :focus'), 1);

  const swipe = async (px: number) => {
    const { x, y } = toast.element().getBoundingClientRect();
    await userEvent.pointer([
      { coords: { x: x + 40, y: y + 20 }, keys: '[MouseLeft>]' },
      { coords: { x: x + 60, y: y + 20 } },
      { coords: { x: x + 40 + px, y: y + 20 } },
      { keys: '[/MouseLeft]' },
    ]);
  };
  await swipe(49);
  await expectCount(toast, 1);
  await swipe(51);
  await expectCount(toast, 0);
});

test('a tooltip shows after 700 ms, and at once within 300 ms of another', async () => {
  await renderPage('/admin/invite', { user });
  await page.getByRole('button', { name: 'Add Another Invite' }).click();
  const remove = (number: number) => page.getByRole('button', { name: `Remove invite ${number}` });
  // The button has a name; the text is the tooltip's.
  const tooltip = (number: number) => page.getByText(`Remove invite ${number}`, { exact: true });
  const leave = () => userEvent.pointer({ coords: { x: 1, y: 1 } });
  await expect.element(remove(2)).toBeVisible();
  stopTime();

  await remove(1).hover();
  vi.advanceTimersByTime(699);
  await expectCount(tooltip(1), 0);
  vi.advanceTimersByTime(1);
  await expectCount(tooltip(1), 1);
  // Straight to the next one.
  await remove(2).hover();
  vi.advanceTimersByTime(1);
  await expectCount(tooltip(2), 1);
  await expectCount(tooltip(1), 0);
  // Away, and back within the time.
  await leave();
  vi.advanceTimersByTime(120);
  await expectCount(tooltip(2), 0);
  vi.advanceTimersByTime(170);
  await remove(1).hover();
  vi.advanceTimersByTime(1);
  await expectCount(tooltip(1), 1);
  await leave();
  vi.advanceTimersByTime(420);
  await remove(1).hover();
  vi.advanceTimersByTime(699);
  await expectCount(tooltip(1), 0);
  vi.advanceTimersByTime(1);
  await expectCount(tooltip(1), 1);
});
