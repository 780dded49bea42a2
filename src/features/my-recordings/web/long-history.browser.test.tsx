import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildFeedback, buildRecording, type RecordingFixture } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, holdResponses } from '#testing/browser/fake-api.ts';
import { openPageWithStream, sendChanges } from '#testing/browser/fake-event-stream.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectUrl, expectCount, expectText, page, pressKeyOn } from '#testing/browser/screen.ts';

const PAGE = 20;
/** Number of recordings: more than one page. */
const MANY = PAGE + 5;

const cards = page.css('main article');
const titles = () => [...document.querySelectorAll('main article h2')].map(({ textContent }) => textContent);
const more = page.getByRole('button', { name: 'Load more' });

/** Serves `MANY` recordings, newest first. Tests may prepend more to the returned array. */
function aLongHistory() {
  const sung = Array.from({ length: MANY }, (_, i) => buildRecording(`Number ${i + 1}`)).reverse();
  mockEndpoint(api.recordings.mine, () => sung, { pageSize: PAGE });
  return sung;
}

/** Adds a recording from another device, which moves the last recording of the first page to the second. */
function sendElsewhere(sung: RecordingFixture[], title: string) {
  sung.unshift(buildRecording(title));
  sendChanges('/api/student/recordings');
}

test('loads a long history to its end by keyboard, even if a recording is added', async () => {
  const sung = aLongHistory();
  await openPageWithStream('/past-recordings');
  await expectCount(cards, PAGE);
  await pressKeyOn(more, 'Enter');
  await expectCount(cards, MANY);
  await expectCount(more, 0);
  // Focus moves to the first of the recordings that were just loaded.
  await expect.poll(() => document.activeElement?.querySelector('h2')?.textContent).toBe('Number 5');

  sendElsewhere(sung, 'The newest');
  await expectText(cards.first(), 'The newest');
  await expectCount(cards, MANY + 1);
  expect(new Set(titles()).size).toBe(MANY + 1);
});

test('loads more recordings even if the list is refetched at the same time', async () => {
  const sung = aLongHistory();
  await openPageWithStream('/past-recordings');
  await expectCount(cards, PAGE);
  const release = holdResponses(api.recordings.mine, ({ query }) => query['after'] !== undefined);
  await pressKeyOn(more, 'Enter');
  await expect.poll(() => getCalls(api.recordings.mine).at(-1)?.query['after']).toBeTruthy();
  sendElsewhere(sung, 'The newest');
  await expectText(cards.first(), 'The newest');
  release();
  await expectCount(cards, MANY + 1);
});

test('a past recording’s link scrolls to its feedback after the list has loaded', async () => {
  const answered = (title: string) =>
    buildFeedback(buildRecording(title, { status: 'reviewed' }), { status: 'read' });
  const oldest = answered('Answered long ago');
  const given = Array.from({ length: MANY - 1 }, (_, i) => answered(`Number ${i + 1}`)).reverse();
  mockEndpoint(api.recordings.mine, [oldest.recording as RecordingFixture]);
  mockEndpoint(api.feedback.mine, [...given, oldest], { pageSize: PAGE });
  await page.viewport(390, 844);
  await renderPage('/past-recordings');
  const release = holdResponses(api.feedback.mine);
  await cards.getByRole('link', { name: 'View Feedback' }).click();
  await expectUrl(/^\/feedback\?recording=\d+$/);
  await expect.element(page.getByRole('heading', { name: 'View Feedback', level: 1 })).toHaveFocus();
  release();
  const heading = page.getByRole('heading', { name: oldest.recording.title });
  await expect.element(heading).toHaveFocus();
  await expect.element(heading).toBeInViewport();

  // After a link has scrolled to an entry, the menu link opens the top of the list.
  const [first, ...others] = given.slice(0, 4);
  mockEndpoint(api.feedback.mine, [first!, ...others]);
  const top = page.getByRole('heading', { name: first!.recording.title });
  const last = others.at(-1)!.recording;
  await renderPage(`/feedback?recording=${last.id}`);
  await expect.element(page.getByRole('heading', { name: last.title })).toHaveFocus();
  await expect.element(top).not.toBeInViewport();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'View Feedback' }).click();
  await expectUrl(/^\/feedback$/);
  await expect.element(top).toBeInViewport();

  // A link to feedback that does not exist opens the top of the list.
  await renderPage('/feedback?recording=999999');
  await expectCount(cards, 4);
  await expect.element(top).toBeInViewport();
});
