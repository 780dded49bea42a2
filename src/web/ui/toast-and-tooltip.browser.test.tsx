import { afterEach, expect, test, vi } from 'vitest';
import { commands, type Locator } from 'vitest/browser';
import { buildTeacher } from '#testing/browser/community.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { toast as showToast } from './toasts.ts';
import { expectText, page, pressKeyOn, toastItem, userEvent } from '#testing/browser/screen.ts';

const user = buildTeacher();

/** Installs fake timers, so that the clock only advances explicitly. */
function stopTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  // Advances the fake clock, which starts at 0, past all timestamps taken from the real clock.
  vi.advanceTimersByTime(24 * 60 * 60 * 1_000);
}

afterEach(() => void vi.useRealTimers());

const frame = () => new Promise(requestAnimationFrame);

/** Advances the clock and waits for the page to update. */
async function pass(milliseconds: number) {
  vi.advanceTimersByTime(milliseconds);
  for (let frames = 0; frames < 3; frames += 1) await frame();
}

/** Polls frame by frame, because Vitest's own waiting, such as `expect.poll`, would advance the clock. */
async function expectSoon(look: () => unknown, expected: unknown) {
  for (let frames = 0; frames < 300 && look() !== expected; frames += 1) await frame();
  expect(look()).toBe(expected);
}
const expectCount = (locator: Locator, count: number) => expectSoon(() => locator.elements().length, count);
const expectToast = (text: string) =>
  expectSoon(() => toastItem.elements().some(({ textContent }) => textContent.includes(text)), true);

test('a toast closes after five seconds or by a swipe', async () => {
  await page.viewport(1440, 900);
  await renderPage('/admin/invite', { user });
  const send = page.getByRole('button', { name: 'Send 0 Invites' });
  const place = () => toastItem.element().closest('ol')!.getBoundingClientRect();
  await expect.element(send).toBeVisible();
  stopTime();

  await pressKeyOn(page.getByRole('button', { name: 'Create User' }), 'Enter');
  await expectToast('Please fill in all fields and select');
  await pass(4_000);
  await pressKeyOn(send, 'Enter');
  await expectToast('for at least one invite');
  await expectCount(toastItem, 1);
  expect(place()).toMatchObject({ width: 420, bottom: 900 });
  // At the right edge, allowing for a scroll bar.
  expect(place().x).toBeGreaterThanOrEqual(1440 - 420 - 20);
  await pass(4_999);
  await expectCount(toastItem, 1);
  await pass(1);
  await expectCount(toastItem, 0);

  await page.viewport(390, 844);
  await pressKeyOn(send, 'Enter');
  await expectCount(toastItem, 1);
  // Below the header.
  expect(place()).toMatchObject({ x: 0, y: 64 });
  await userEvent.keyboard('{F8}');
  await expectCount(page.css('ol:focus, ol :focus'), 1);

  const swipe = async (px: number) => {
    const { x, y } = toastItem.element().getBoundingClientRect();
    await userEvent.pointer([
      { coords: { x: x + 40, y: y + 20 }, keys: '[MouseLeft>]' },
      { coords: { x: x + 60, y: y + 20 } },
      { coords: { x: x + 40 + px, y: y + 20 } },
      { keys: '[/MouseLeft]' },
    ]);
  };
  await swipe(49);
  await expectCount(toastItem, 1);
  await swipe(51);
  await expectCount(toastItem, 0);
});

test('a toast closes when the user leaves its page, unless it outlives the page', async () => {
  await page.viewport(1440, 900);
  await renderPage('/admin/invite', { user });
  const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Create User' }).click();
  await expectText(toastItem, 'Please fill in all fields and select');
  await go('Past Feedback');
  await expect.element(page.getByRole('heading', { name: 'Past Feedback', level: 1 })).toBeVisible();
  expect(toastItem.elements()).toEqual([]);

  showToast({ title: 'Your recording has been submitted to the teacher!', outlivesPage: true });
  await expect.element(toastItem).toBeVisible();
  await go('Invite Users');
  await expect.element(page.getByRole('heading', { name: 'Invite Users', level: 1 })).toBeVisible();
  expect(toastItem.elements()).toHaveLength(1);
});

test('a tooltip shows after 700 ms, or immediately within 300 ms of another tooltip', async () => {
  // Moves the mouse away from all controls first.
  await commands.moveMouse(1, 1);
  await renderPage('/admin/invite', { user });
  await pressKeyOn(page.getByRole('button', { name: 'Add Another Invite' }), 'Enter');
  const remove = (number: number) => page.getByRole('button', { name: `Remove invite ${number}` });
  // Finds the tooltip by its text, which the button has only as its accessible name.
  const tooltip = (number: number) => page.getByText(`Remove invite ${number}`, { exact: true });
  // Name of the hovered button. Awaited after each mouse move, which the browser handles only in the next
  // frame.
  const isOver = () => document.querySelector('main button:hover')?.getAttribute('aria-label') ?? null;
  const hover = async (number: number) => {
    const { x, y, width, height } = remove(number).element().getBoundingClientRect();
    await commands.moveMouse(x + width / 2, y + height / 2);
    await expectSoon(isOver, `Remove invite ${number}`);
  };
  const leave = async () => {
    await commands.moveMouse(1, 1);
    await expectSoon(isOver, null);
  };
  await expect.element(remove(2)).toBeVisible();
  remove(2).element().scrollIntoView({ block: 'end' });
  await expect.element(remove(1)).toBeInViewport();
  stopTime();

  await hover(1);
  await pass(699);
  await expectCount(tooltip(1), 0);
  await pass(1);
  await expectCount(tooltip(1), 1);
  // Moves straight to the next button.
  await hover(2);
  await pass(1);
  await expectCount(tooltip(2), 1);
  await expectCount(tooltip(1), 0);
  // Moves away, and back within 300 ms.
  await leave();
  await pass(120);
  await expectCount(tooltip(2), 0);
  await pass(170);
  await hover(1);
  await pass(1);
  await expectCount(tooltip(1), 1);
  await leave();
  // Waits the 120 ms until the tooltip disappears, and then a little longer than 300 ms.
  await pass(421);
  await hover(1);
  await pass(699);
  await expectCount(tooltip(1), 0);
  await pass(1);
  await expectCount(tooltip(1), 1);
});
