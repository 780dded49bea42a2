import { afterEach, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { api } from '../api.ts';
import {
  buildRecording,
  buildStudent,
  buildTeacher,
  buildCompleteMelody,
  mockLibrary,
  toListedUser,
} from '#testing/browser/community.ts';
import { mockEndpoint } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { clickInPage, page } from '#testing/browser/screen.ts';

// With forced colours the browser paints all backgrounds in the same colour, unless a rule sets a system
// colour.

afterEach(() => commands.emulateMedia({ forcedColors: null }));

async function open(path: string, user: ReturnType<typeof buildStudent>) {
  await commands.emulateMedia({ forcedColors: 'active' });
  await page.viewport(1280, 900);
  await renderPage(path, { user });
}

/** Expects the system's selection colour behind all selected elements, and behind none of the others. */
function expectChosenSeen(chosen: string, others: string) {
  const [on, off] = [groundsOf(chosen), groundsOf(others)];
  const sample = document.body.appendChild(document.createElement('p'));
  sample.style.background = 'Highlight';
  const [highlight] = groundsOf('body > p:last-child');
  sample.remove();
  expect(new Set(on), chosen).toEqual(new Set([highlight]));
  expect(off.length, others).toBeGreaterThan(0);
  expect(off, others).not.toContain(highlight);
}

const groundsOf = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => getComputedStyle(element).backgroundColor);

test('the current page, active filter and progress stand out in forced-colours mode', async () => {
  mockEndpoint(api.feedback.unreadCount, { count: 3 });
  mockLibrary([buildCompleteMelody('Morning Song')]);
  await open('/melodies', buildStudent());
  await expect.element(page.getByRole('button', { name: 'All Melodies' })).toBeVisible();
  expectChosenSeen('nav a[aria-current=page]', 'nav a:not([aria-current])');
  expectChosenSeen('button[aria-pressed=true]', 'button[aria-pressed=false]');

  await clickInPage(page.getByRole('button', { name: 'Play Morning Song' }));
  await expect.element(page.css('main .progress')).toBeInTheDocument();
  expectChosenSeen('main .progress', 'main :has(> .progress)');
  // Forced colours hide the background of round elements, so they need a border.
  const count = page.getByRole('link', { name: /View Feedback/ }).css('span[class*=rounded-full]');
  const pause = page.getByRole('button', { name: 'Pause Morning Song' });
  await expect.element(pause).toBeVisible();
  for (const round of [count, pause]) expect(getComputedStyle(round.element()).borderWidth).not.toBe('0px');
});

test('the selected tab stands out in forced-colours mode', async () => {
  await open('/submit', buildStudent());
  await expect.element(page.getByRole('tab', { name: 'Upload Audio File' })).toBeVisible();
  expectChosenSeen('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]');
});

test('the selected recording and user, and ticked boxes, stand out in forced colours', async () => {
  mockEndpoint(api.recordings.pendingForInbox, [buildRecording('First'), buildRecording('Second')]);
  await open('/admin', buildTeacher());
  await expect.element(page.getByRole('heading', { name: 'First' })).toBeVisible();
  const places = '[aria-label="Waiting recordings"] a';
  await expect.poll(() => document.querySelector(`${places}[aria-current]`)).not.toBeNull();
  expectChosenSeen(`${places}[aria-current]`, `${places}:not([aria-current])`);

  const users = ['pema', 'tashi'].map((username) => toListedUser(buildStudent({ username })));
  mockEndpoint(api.users.list, users);
  mockEndpoint(api.users.one, users[0]!);
  mockEndpoint(api.users.accessList, []);
  await open(`/admin/users?user=${users[0]!.id}`, buildTeacher());
  await expect.element(page.getByRole('checkbox').first()).toBeVisible();
  expectChosenSeen('a[data-item][aria-current]', 'a[data-item]:not([aria-current])');
  // Checkboxes have the browser's own appearance, which shows the tick in forced colours.
  for (const box of document.querySelectorAll('input[type=checkbox]'))
    expect(getComputedStyle(box).appearance).toBe('auto');
});
