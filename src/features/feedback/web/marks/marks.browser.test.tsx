import { describe, expect, onTestFinished, test } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildTeacher,
  mockLibrary,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalledPaths, rejectCalls } from '#testing/browser/fake-api.ts';
import {
  findInboxCard,
  mockInbox,
  findInboxRow,
  getSentFeedback,
  changeDraftElsewhere,
} from '#testing/browser/inbox.ts';
import { expectAccessible } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, userEvent } from '#testing/browser/screen.ts';
import {
  getPlaybackStarts,
  slowDownSound,
  getPlaybackPositions,
  getPlayingFileNames,
} from '#testing/browser/playback.ts';

const LINES = ['Sangye chö dang', 'བྱང་ཆུབ་བར་དུ་', 'Dakgi jin sok', 'Drola pen chir'];
const aTimedMelody = (starts: number[] | null) =>
  buildMelody('Refuge Prayer', {
    melodyText: LINES.join('\n'),
    timings: starts?.map((start, line) => ({ line, start })) ?? null,
    audioUrl: getToneFileName(20),
    duration: 20,
  });

const lineOf = (card: Locator, place: string) => card.getByLabelText(`Melody line for ${place}`);
const chosen = (line: Locator) => {
  const { selectedOptions } = line.element() as HTMLSelectElement;
  return selectedOptions[0]?.textContent;
};

test('the dropdown for a mark’s line is wide enough at 820 px with the largest text', async () => {
  const melody = aTimedMelody([2, 6, 10, 14]);
  mockLibrary([melody]);
  const recording = buildRecording('Sung', {
    melodyId: melody.id,
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  mockInbox(recording);
  changeDraftElsewhere(recording, '', [{ start: 1, end: null, text: 'Longer here' }]);
  await page.viewport(820, 1180);
  document.documentElement.dataset['textSize'] = 'larger';
  await renderPage('/admin', { user: buildTeacher() });
  const line = lineOf(page.getByRole('article'), '0:01');
  await expect.element(line).toHaveAccessibleDescription(/^maybe no line/);
  const { fontSize } = getComputedStyle(document.documentElement);
  expect((line.element() as HTMLElement).offsetWidth).toBeGreaterThanOrEqual(6 * parseFloat(fontSize));
});

test('choosing the line of a mark shifts the suggested lines of later marks', async () => {
  const melody = aTimedMelody([2, 6, 10, 14]);
  mockLibrary([melody]);
  const later = buildRecording('Sung later', {
    melodyId: melody.id,
    attempt: 1,
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  mockInbox(later);
  const marks = [1, 5, 9].map((start) => ({ start, end: null, text: `At ${start}` }));
  changeDraftElsewhere(later, '', marks);
  const user = buildTeacher();
  await renderPage('/admin', { user });
  const card = page.getByRole('article');
  const [first, second, third] = [lineOf(card, '0:01'), lineOf(card, '0:05'), lineOf(card, '0:09')];
  await expect.poll(() => chosen(second)).toBe(`1. ${LINES[0]}`);
  await expect.poll(() => chosen(third)).toBe(`2. ${LINES[1]}`);
  await expect.element(third).toHaveAttribute('lang', 'bo');
  await expect.poll(() => chosen(first)).toBe('No line');
  await expect.element(first).toHaveAccessibleDescription(/^maybe no line We’re not sure/);
  await expect.element(second).toHaveAccessibleDescription(/^maybe line 1 We’re not sure/);

  // Chooses a line by keyboard.
  (card.getByLabelText('Comment at 0:01').element() as HTMLElement).focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(first).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => chosen(first)).toBe(`2. ${LINES[1]}`);
  await expect.element(first).toHaveAccessibleDescription('');
  await expect.poll(() => chosen(second)).toBe(`3. ${LINES[2]}`);
  await expect.poll(() => chosen(third)).toBe(`4. ${LINES[3]}`);
  // Chooses a line by pointer.
  await second.selectOptions('No line');
  await expect.poll(() => chosen(third)).toBe(`4. ${LINES[3]}`);
  await expect.element(card.getByText('Draft saved')).toBeVisible();
  await renderPage('/admin', { user });
  await expect.poll(() => chosen(second)).toBe('No line');
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expectCount(card, 0);
  expect(getSentFeedback()[0]?.marks).toMatchObject([
    { start: 1, melodyAt: 6 },
    { start: 5, melodyAt: null },
    { start: 9, melodyAt: 14 },
  ]);
});

test('does not offer lines for a mark if the recording has no melody with timed lines', async () => {
  const melody = aTimedMelody(null);
  mockLibrary([melody]);
  mockInbox(buildRecording('Untimed', { melodyId: melody.id, attempt: 1 }), buildRecording('Of no melody'));
  await renderPage('/admin', { user: buildTeacher() });
  await findInboxCard('Untimed').getByRole('button', { name: 'Add comment' }).click();
  await expectCount(page.getByLabelText('Comment at 0:00'), 1);
  await expect.poll(getCalledPaths).toContain(`/api/melodies/${melody.id}`);
  await expectCount(page.getByLabelText(/^Melody line for/), 0);
  await findInboxRow('Of no melody').getByRole('button', { name: 'Written feedback' }).click();
  await findInboxCard('Of no melody').getByRole('button', { name: 'Add comment' }).click();
  await expectCount(page.getByLabelText('Comment at 0:00'), 2);
  await expectCount(page.getByLabelText(/^Melody line for/), 0);
});

describe('a student', () => {
  const mark = page.getByRole('listitem').filter({ hasText: 'Softer' });
  const yours = mark.getByText('Your recording');
  const theMelody = mark.getByText('Melody:');

  const YOURS = getToneFileName(10);
  const HERS = getToneFileName(20);
  const SPOKEN = getToneFileName(2);
  const VOICE = '00000000-0000-4000-8000-00000000000a';

  /**
   * Sets up feedback with four marks: one at 1–4 s linked to the second line, one linked to no line, one from
   * before marks had lines, and one with a voice comment.
   */
  function answered() {
    const melody = aTimedMelody([2, 6, 12, 16]);
    mockLibrary([melody]);
    const sung = buildRecording('To sing again', {
      melodyId: melody.id,
      attempt: 1,
      status: 'reviewed',
      audioUrl: YOURS,
      duration: 10,
    });
    const feedback = buildFeedback(sung, {
      status: 'read',
      marks: [
        { start: 1, end: 4, text: 'Softer', melodyAt: 6 },
        { start: 5, end: 7, text: 'Of no line', melodyAt: null },
        { start: 7, end: 9, text: 'Older' },
        { start: 9, end: null, text: '', melodyAt: 6, voice: VOICE },
      ],
      voices: [{ id: VOICE, audioUrl: SPOKEN, audioCopies: [], duration: 2, peaks: null }],
    });
    mockEndpoint(api.feedback.mine, [feedback]);
    mockEndpoint(api.feedback.latest, { feedback });
    return { melody, sung };
  }

  test('a student presses a mark and hears the passage, then the melody’s line', async () => {
    const { melody } = answered();
    await renderPage('/feedback');
    const card = page.getByRole('article');
    await expect.element(mark).toBeVisible();
    const ofMelody = () => getCalledPaths().filter((path) => path === `/api/melodies/${melody.id}`);
    expect(ofMelody()).toEqual([]);

    const press = mark.getByRole('button', { name: /^Play 0:01–0:04/ });
    await press.click();
    await expect.poll(getPlaybackStarts).toEqual([
      { file: YOURS, at: 1 },
      { file: HERS, at: 6 },
    ]);
    await expect.poll(getPlayingFileNames).toEqual([]);
    // The mark's passage plays to its end at 4 s, and the melody's line plays to the start of the next line at
    // 12 s.
    expect(getPlaybackPositions()).toEqual([4, 12]);
    await expectCount(theMelody, 0);

    slowDownSound(HERS);
    await press.click();
    await expect.element(theMelody).toBeVisible();
    await expect.element(mark.getByText(LINES[1]!)).toHaveAttribute('lang', 'bo');
    await expect
      .element(card.getByRole('status').filter({ hasText: `Melody: ${LINES[1]}` }))
      .toBeInTheDocument();
    expect(getPlayingFileNames()).toEqual([HERS]);
    await expect
      .element(mark.getByRole('link', { name: 'Practise this line' }))
      .toHaveAttribute('href', `/melodies?play=${melody.id}&at=6`);
    await mark.getByRole('button', { name: /^Stop 0:01–0:04/ }).click();

    slowDownSound(YOURS);
    await press.click();
    await expect.element(yours).toBeVisible();
    await expect.element(card.getByRole('status').filter({ hasText: 'Your recording' })).toBeInTheDocument();
    expect(getPlayingFileNames()).toEqual([YOURS]);
  });

  test('a student can play and stop a mark by pin, button and key', async () => {
    answered();
    slowDownSound(HERS);
    await renderPage('/feedback');
    const card = page.getByRole('article');
    await card.css('button').filter({ hasText: /^1$/ }).click();
    await expect.element(theMelody).toBeVisible();
    await mark.getByRole('button', { name: /^Stop 0:01–0:04/ }).click();
    await expectCount(theMelody, 0);
    expect(getPlayingFileNames()).toEqual([]);

    slowDownSound(YOURS);
    const button = mark.getByRole('button').first();
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard(' ');
    await expect.element(yours).toBeVisible();
    await userEvent.keyboard(' ');
    await expectCount(yours, 0);
    expect(getPlayingFileNames()).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.element(yours).toBeVisible();
    // Simulates a browser that does not focus a clicked button.
    (button.element() as HTMLElement).blur();
    await userEvent.keyboard(' ');
    await expectCount(yours, 0);
    expect(getPlayingFileNames()).toEqual([]);

    await button.click();
    await card.getByRole('button', { name: /^Pause Your recording/ }).click();
    await expectCount(yours, 0);
    expect(getPlayingFileNames()).toEqual([]);
  });

  test('a mark with a voice comment plays passage, comment, passage and melody', async () => {
    answered();
    slowDownSound(HERS);
    await renderPage('/feedback');
    const spoken = page.getByRole('listitem').filter({ hasText: '0:09' });
    const press = spoken.getByRole('button', { name: 'Play 0:09 – voice comment, 2 seconds' });
    await press.click();
    await expect.element(spoken.getByText('Melody:')).toBeVisible();
    // The end of the recording cuts the passage short, but the sequence continues.
    expect(getPlaybackStarts()).toEqual([
      { file: YOURS, at: 9 },
      { file: SPOKEN, at: 0 },
      { file: YOURS, at: 9 },
      { file: HERS, at: 6 },
    ]);
    await spoken.getByRole('button', { name: /^Stop/ }).click();
    await expect.poll(getPlayingFileNames).toEqual([]);

    slowDownSound(SPOKEN);
    await press.click();
    await expect.element(spoken.getByText('Voice comment', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('status').filter({ hasText: 'Voice comment' })).toBeInTheDocument();
    expect(getPlayingFileNames()).toEqual([SPOKEN]);
    await expectAccessible('a voice comment that is playing');
  });

  test('on the submit page, a mark in the last feedback plays until recording starts', async () => {
    const { melody, sung } = answered();
    slowDownSound(HERS);
    await renderPage(`/submit?melody=${melody.id}&after-recording=${sung.id}`);
    const here = page
      .getByRole('list', { name: /^Comments on/ })
      .getByRole('listitem')
      .filter({ hasText: 'Softer' });
    await here.getByRole('button').first().click();
    await expect.element(here.getByText('Melody:')).toBeVisible();
    await page.getByRole('button', { name: 'Start recording' }).click();
    await expectCount(here.getByText('Melody:'), 0);
  });

  test('if the browser blocks autoplay of the melody, the student gets a play button', async () => {
    answered();
    slowDownSound(HERS);
    const { play } = HTMLMediaElement.prototype;
    onTestFinished(() => void (HTMLMediaElement.prototype.play = play));
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      const isPress = Boolean(window.event?.isTrusted) && /^(click|key)/.test(window.event!.type);
      return isPress ? play.call(this) : Promise.reject(new DOMException('No press', 'NotAllowedError'));
    };
    await renderPage('/feedback');
    await mark.getByRole('button').first().click();
    await mark.getByRole('button', { name: 'Play the melody' }).click();
    await expect.element(theMelody).toBeVisible();
    expect(getPlaybackStarts().at(-1)).toEqual({ file: HERS, at: 6 });
    await expect.element(mark.getByRole('button', { name: /^Stop/ })).toHaveFocus();
    await expectCount(mark.getByRole('button', { name: 'Play the melody' }), 0);
  });

  test('a student cannot hear or see the line of a melody that is no longer accessible', async () => {
    const { melody } = answered();
    await renderPage('/feedback');
    await expect.element(mark).toBeVisible();
    rejectCalls(api.melodies.one, 404, { message: 'This melody no longer exists' });
    await mark.getByRole('button').first().click();
    await expect.poll(getCalledPaths).toContain(`/api/melodies/${melody.id}`);
    await expect.poll(getPlaybackStarts).toEqual([{ file: YOURS, at: 1 }]);
    await expect.poll(getPlayingFileNames).toEqual([]);
    await expectCount(yours, 0);
    await expectCount(mark.getByRole('link'), 0);
    await expectCount(page.getByRole('alert'), 0);
    expect(document.body.textContent).not.toContain(LINES[1]!);
    expect(getPlaybackStarts()).toHaveLength(1);
  });
});
