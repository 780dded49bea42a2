import { describe, expect, test, vi } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '#app/api.ts';
import {
  buildMelody,
  buildRecording,
  buildTeacher,
  mockLibrary,
  type RecordingFixture,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalledPaths, getCalls, RejectedCallError } from '#testing/browser/fake-api.ts';
import { openPageWithStream, sendChanges } from '#testing/browser/fake-event-stream.ts';
import { focusFirstCard, mockInbox, typeKeys } from '#testing/browser/inbox.ts';
import {
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn } from '#testing/browser/screen.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';

const user = buildTeacher();
const openInbox = () => renderPage('/admin', { user });
const card = page.getByRole('article').first();
const strip = card.getByRole('list', { name: 'Lines as they are sung' });
const cells = strip.getByRole('button', { name: /^Play/ });
const cell = (words: string | RegExp) => strip.getByRole('button', { name: words });
const beginning = (line: number) => card.getByRole('slider', { name: `Start of line ${line}` });

const WORDS = ['Sangye chö dang tsok', 'བྱང་ཆུབ་བར་དུ་བདག་ནི་', 'Dakgi jin sok', 'Drola pen chir'];
const melody = buildMelody('Refuge Prayer', {
  melodyText: WORDS.join('\n'),
  timings: [1, 5, 9, 13].map((start, line) => ({ line, start })),
  audioUrl: getToneFileName(19),
  duration: 19,
});

const buildFoundLine = (line: number, start: number, end: number, sure = 0.9) => ({ line, start, end, sure });
const FOUND = [
  buildFoundLine(0, 2, 6),
  buildFoundLine(1, 6.5, 10),
  buildFoundLine(2, 10, 14, 0.3),
  buildFoundLine(3, 15, 19),
];

const NONE: RecordingLines = { state: 'none', lines: [] };

/** The lines on the fake server. */
let lines: RecordingLines;

function aSung(
  given: Partial<RecordingFixture> = {},
  state: RecordingLines = { state: 'ready', lines: FOUND },
) {
  lines = structuredClone(state);
  const recording = buildRecording('Sung after it', {
    ...{ melodyId: melody.id, attempt: 1, audioUrl: getToneFileName(20), duration: 20 },
    ...given,
  });
  mockLibrary([melody]);
  mockInbox(recording);
  mockEndpoint(api.recordingLines.ofRecording, ({ path }) =>
    path === `/api/recordings/${recording.id}/lines` ? lines : NONE,
  );
  mockEndpoint(api.recordingLines.correct, ({ body }) => {
    const line = lines.lines.find((each) => each.line === body['line'] && each.start === body['was']);
    if (!line) throw new RejectedCallError(409, 'This line has changed. Please check it again.');
    Object.assign(line, { start: body['start'], sure: 1 });
    return lines;
  });
  return recording;
}

const recording = () =>
  card
    .getByRole('group', { name: /^Sung after it/ })
    .css('audio')
    .element() as HTMLAudioElement;
const at = () => Math.round(recording().currentTime * 10) / 10;
const corrections = () => getCalls(api.recordingLines.correct).map(({ body }) => body);

/** Files played, in order, each with the second at which playback began. */
let heard: string[] = [];
const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  heard.push(`${new URL(this.src).pathname.split('/').at(-1)} ${Math.round(this.currentTime)}`);
  return play.call(this);
};
const mine = (second: number) => `${getToneFileName(20)} ${second}`;
const hers = (second: number) => `${getToneFileName(19)} ${second}`;

const boxOf = (locator: Locator) => locator.element().getBoundingClientRect();

test('pressing a line below the waveform plays and highlights it', async () => {
  aSung();
  await page.viewport(1440, 900);
  await openInbox();
  await expectCount(cells, 4);
  await expect.element(cell('Play line 1: Sangye')).toBeVisible();
  await expect.element(strip.getByText(WORDS[1]!)).toHaveAttribute('lang', 'bo');
  const waveform = boxOf(card.css('canvas'));
  const secondAt = (x: number) => ((x - waveform.left) / waveform.width) * 20;
  expect(secondAt(boxOf(cell('Play line 1:')).left)).toBeCloseTo(2, 1);
  // The cell includes the breath after the line.
  expect(secondAt(boxOf(cell('Play line 1:')).right)).toBeCloseTo(6.5, 1);
  expect(secondAt(boxOf(cell('Play line 4:')).left)).toBeCloseTo(15, 1);
  expect(secondAt(boxOf(beginning(4)).left + boxOf(beginning(4)).width / 2)).toBeCloseTo(15, 1);
  // A guess is not shown as certain.
  await expectText(cell(/Maybe/), 'Maybe line 3');
  await expectCount(card.getByText(WORDS[2]!), 0);

  heard = [];
  await cell('Play line 2:').click();
  await expect.element(cell('Play line 2:')).toHaveAttribute('aria-current', 'true');
  expect(heard).toEqual([mine(7)]);
  await expect.poll(at).toBeGreaterThan(6.5);
  // Pauses first: the axe check blocks the page for seconds, so the passage would stop too late.
  recording().pause();
  await expectAccessibleWithoutOverflow('the words as they are sung');
  await cell('Play line 2:').click();
  await expect.poll(() => recording().paused).toBe(false);
  // Playback stops at the end of the line, which stays the current line.
  await expect.poll(() => recording().paused).toBe(true);
  expect(Math.abs(at() - 10)).toBeLessThan(0.5);
  await expect.element(cell('Play line 2:')).toHaveAttribute('aria-current', 'true');
});

test('L alternates between the melody’s and the student’s line; N and U move by line', async () => {
  aSung();
  await openInbox();
  await expectCount(cells, 4);
  await focusFirstCard('Sung after it');
  for (const [key, second] of [
    ['n', 2],
    ['n', 6.5],
    ['n', 15],
    ['n', 15],
    ['u', 6.5],
  ] as const) {
    await typeKeys(key);
    await expect.poll(at, { message: `${key}: ${second}` }).toBe(second);
  }
  heard = [];
  await typeKeys('l');
  await expect.poll(() => heard).toEqual([hers(5)]);
  await card.getByRole('button', { name: 'Student', exact: true }).click();
  await expect.poll(() => heard).toEqual([hers(5), mine(7)]);
  await expect.poll(() => recording().paused).toBe(false);
  await card.getByRole('button', { name: 'Melody', exact: true }).click();
  await expect.poll(() => heard).toEqual([hers(5), mine(7), hers(5)]);
  expect(recording().paused).toBe(true);
  await typeKeys('l');
  await expect.poll(() => heard.length).toBe(4);
  // A line that has played to its end is still the current line: L plays it in the melody, and N moves to the
  // next line.
  await expect.poll(() => recording().paused).toBe(true);
  await typeKeys('l');
  await expect.poll(() => heard.at(-1)).toBe(hers(5));
  await typeKeys('n');
  await expect.poll(at).toBe(15);

  // If it is uncertain which line is sung, L plays an estimated line of the melody, and pressing L again stops
  // playback.
  recording().currentTime = 12;
  await expect.element(cell(/Maybe/)).toHaveAttribute('aria-current', 'true');
  const melodyButton = card.getByRole('button', { name: 'Melody', exact: true });
  await typeKeys('l');
  await expect.element(melodyButton).toHaveAttribute('aria-pressed', 'false');
  heard = [];
  await typeKeys('l');
  await expect.poll(() => heard).toEqual([hers(9)]);
  await typeKeys('l');
  await expect.element(melodyButton).toHaveAttribute('aria-pressed', 'false');
  expect(heard).toHaveLength(1);
});

describe('correcting where a line begins', () => {
  test('dragging or arrow keys change where a line starts', async () => {
    aSung();
    await page.viewport(1440, 900);
    await openInbox();
    await expectCount(cells, 4);
    const handle = beginning(4);
    const { left, width, top } = boxOf(handle);
    const perSecond = boxOf(card.css('canvas')).width / 20;
    const pointer = (type: string, x: number) =>
      handle
        .element()
        .dispatchEvent(new PointerEvent(type, { clientX: x, clientY: top + 5, bubbles: true, pointerId: 1 }));
    const middle = left + width / 2;
    handle.element().setPointerCapture = () => {};
    pointer('pointerdown', middle);
    for (const seconds of [0.2, 0.6, 1]) pointer('pointermove', middle - seconds * perSecond);
    await expect.element(handle).toHaveAttribute('aria-valuetext', '0:14');
    expect(corrections()).toEqual([]);
    pointer('pointerup', middle - perSecond);
    await expect.poll(corrections).toEqual([{ line: 3, was: 15, start: 14 }]);

    // Tab moves focus from the words to the handle, and arrow keys move the line's start.
    await pressKeyOn(cell('Play line 2:'), 'Tab');
    await expect.element(beginning(2)).toHaveFocus();
    await typeKeys('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    await expect.element(beginning(2)).toHaveAttribute('aria-valuetext', '0:06.2');
    // The steps are sent as one correction, or as several if they are slow.
    await expect.poll(() => corrections().at(-1)).toMatchObject({ line: 1, start: 6.2 });
    await expectText(card.getByRole('group', { name: 'Start of line 2' }), 'starts at 0:06.2 · saved');
    await expectAccessibleWithoutOverflow('a beginning that is corrected');
    // The start can't be moved past the start of the previous line.
    beginning(2).element().focus();
    await typeKeys('{PageDown}'.repeat(6));
    await expect.element(beginning(2)).toHaveAttribute('aria-valuetext', '0:02.1');
    // A corrected guess counts as certain.
    beginning(3).element().focus();
    await typeKeys('{ArrowRight}');
    await expect.element(cell(`Play line 3: ${WORDS[2]}`)).toBeVisible();
    await expect.poll(() => corrections().at(-1)).toMatchObject({ line: 2 });
    // The moved lines no longer fit in a strip, so they are shown as a list.
    await openInbox();
    await strip.getByRole('button', { name: 'Change where line 4 starts' }).click();
    await expectText(card.getByRole('group', { name: 'Start of line 4' }), 'starts at 0:14');
  });

  test('quick presses of an arrow key on a line’s start are sent as one correction', async () => {
    aSung();
    await openInbox();
    await expectCount(cells, 4);
    beginning(2).element().focus();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await typeKeys('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
      await expect.element(beginning(2)).toHaveAttribute('aria-valuetext', '0:06.2');
      expect(corrections()).toEqual([]);
      vi.runOnlyPendingTimers();
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(corrections).toEqual([{ line: 1, was: 6.5, start: 6.2 }]);
  });

  test('shows an error and the new start if another teacher has moved the line first', async () => {
    aSung();
    await openInbox();
    await expectCount(cells, 4);
    lines.lines[1]!.start = 7;
    beginning(2).element().focus();
    await typeKeys('{ArrowRight}');
    await expect.element(card.getByText('The start of the line wasn’t changed.')).toBeVisible();
    await expect.element(card.getByText(/This line has changed/)).toBeVisible();
    await expect.element(beginning(2)).toHaveAttribute('aria-valuetext', '0:07');
  });

  test('on a phone, buttons in the list of lines change where a line starts', async () => {
    aSung();
    await page.viewport(390, 844);
    await openInbox();
    await expectCount(cells, 4);
    await cell('Play line 2:').click();
    await expect.poll(at).toBeGreaterThan(6.4);
    await strip.getByRole('button', { name: 'Change where line 3 starts' }).click();
    const panel = card.getByRole('group', { name: 'Start of line 3' });
    await panel.getByRole('button', { name: 'Yes, it’s line 3' }).click();
    await expect.poll(corrections).toEqual([{ line: 2, was: 10, start: 10 }]);
    await expectText(strip, WORDS[2]!);
    await panel.getByRole('button', { name: 'A tenth of a second later' }).click();
    await panel.getByRole('button', { name: 'A tenth of a second later' }).click();
    await expect.poll(() => corrections().at(-1)).toMatchObject({ line: 2, start: 10.2 });
    recording().pause();
    recording().currentTime = 11;
    await panel.getByRole('button', { name: 'Set to current position' }).click();
    await expect.poll(() => corrections().at(-1)).toMatchObject({ was: 10.2, start: 11 });
    for (const width of [390, 320]) {
      await page.viewport(width, 844);
      expectNoHorizontalScroll(`a list of lines at ${width} px`);
      for (const button of strip.getByRole('button').elements())
        expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    }
    await panel.getByRole('button', { name: 'Close' }).click();
    await expectCount(panel, 0);
  });
});

test('on a phone, even two lines are shown as a list, so that words do not break', async () => {
  aSung({}, { state: 'ready', lines: [buildFoundLine(0, 1, 9), buildFoundLine(1, 10, 19)] });
  await page.viewport(390, 844);
  await openInbox();
  await expectCount(cells, 2);
  await expectCount(strip.getByRole('button', { name: /^Change where line/ }), 2);
});

test('shows a message while lines are being found, and the lines when they are ready', async () => {
  const sung = aSung({}, { state: 'working', lines: [] });
  mockInbox(sung, buildRecording('Of no melody'));
  await openPageWithStream('/admin', { user });
  await expect.element(card.getByText('Finding the lines…')).toBeVisible();
  await expectCount(strip, 0);
  expect(getCalledPaths()).not.toContain(`/api/melodies/${melody.id}`);
  lines = { state: 'ready', lines: FOUND };
  sendChanges('/api/recordings');
  await expectCount(cells, 4);
  await expectCount(card.getByText('Finding the lines…'), 0);
  lines = { state: 'unsure', lines: [] };
  sendChanges('/api/recordings');
  await expectCount(strip, 0);
  await expect.element(card.getByRole('button', { name: 'Melody', exact: true })).toBeVisible();
  // Lines are requested when a card opens, and only if its recording has a melody.
  expect(new Set(getCalledPaths().filter((path) => path.endsWith('/lines')))).toEqual(
    new Set([`/api/recordings/${sung.id}/lines`]),
  );
});

test('a new mark gets the line sung at its time, labelled as a guess if uncertain', async () => {
  aSung();
  mockEndpoint(api.feedback.keepDraft, { message: 'Kept', revision: '00000000-0000-4000-8000-000000000000' });
  await openInbox();
  await expectCount(cells, 4);
  const choice = (place: string) => card.getByLabelText(`Melody line for ${place}`);
  const chosen = (place: string) =>
    (choice(place).element() as HTMLSelectElement).selectedOptions[0]?.textContent;
  for (const second of [7, 12]) {
    recording().currentTime = second;
    await expect.poll(at).toBe(second);
    await card.getByRole('button', { name: 'Add comment' }).click();
    await typeKeys('Softer{Enter}');
    await expect.element(card.getByRole('button', { name: 'Add comment' })).toHaveFocus();
  }
  await expect.poll(() => chosen('0:07')).toBe(`2. ${WORDS[1]}`);
  await expect.element(choice('0:07')).toHaveAccessibleDescription('');
  await expect.poll(() => chosen('0:12')).toBe(`3. ${WORDS[2]}`);
  await expect.element(choice('0:12')).toHaveAccessibleDescription(/^maybe line 3 We’re not sure/);
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect.poll(() => getCalls(api.feedback.send)).toHaveLength(1);
  expect(JSON.parse(getCalls(api.feedback.send)[0]?.body['marks'] as string)).toMatchObject([
    { start: 7, melodyAt: 5 },
    { start: 12, melodyAt: 9 },
  ]);
});

test('the list of recordings shows which lines a student left out or repeated', async () => {
  mockInbox(
    buildRecording('One', { sungOtherwise: { leftOut: [4], repeated: [] } }),
    buildRecording('Two', { sungOtherwise: { leftOut: [], repeated: [{ line: 2, times: 2 }] } }),
    buildRecording('Three'),
  );
  await page.viewport(1440, 900);
  await openInbox();
  const list = page.getByRole('navigation', { name: 'Waiting recordings' });
  await expectText(list.getByRole('link').nth(0), 'line 4 left out');
  await expectText(list.getByRole('link').nth(1), 'line 2 twice');
  await expectCount(page.getByText(/left out|twice/), 3);
});
