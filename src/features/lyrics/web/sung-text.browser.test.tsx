import { expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { buildTeacher, mockLibrary, type MelodyFixture } from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { mockEndpoint, breakConnection, getCalls, holdResponses } from '#testing/browser/fake-api.ts';
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import {
  buildMelodyWithText,
  getPlaybackState,
  openPlayerByUrl,
  openPlayer,
  playerDialog,
  pressPlayerButton,
  pressLine,
  getLastPlayedElement,
} from '#testing/browser/player.ts';
import {
  chooseFile,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  userEvent,
} from '#testing/browser/screen.ts';
import { SUNG_TEXT, SUNG_TEXT_LINE_INDEXES, SUNG_TEXT_TIMINGS } from '#testing/sung-text.ts';
// Imported up front, so that it is loaded when the player needs it, however busy the machine is.
import '#features/practice/web/timing/timing-editor.tsx';

const teacher = buildTeacher();
const aTimedSong = () => buildMelodyWithText({ melodyText: SUNG_TEXT, timings: SUNG_TEXT_TIMINGS });
const line = (words: string) => page.css('.sung-text li').filter({ hasText: words });
const isLit = (words: string) => expect.element(line(words)).toHaveAttribute('aria-current', 'true');

/** Fakes a server that stores changes to the melody. */
function serveChangeableMelody(melody: MelodyFixture) {
  let kept = melody;
  mockEndpoint(api.melodies.change, ({ body }) => {
    const { timings: times, melodyText = kept.melodyText } = body as Record<string, string | undefined>;
    kept = {
      ...kept,
      melodyText,
      ...(times !== undefined && { timings: JSON.parse(times) as MelodyFixture['timings'] }),
    };
    mockLibrary([kept]);
    return kept;
  });
  return { stored: () => kept, starts: () => kept.timings?.map(({ start }) => start) };
}

test('a click or the Enter key on a timed line plays the line', async () => {
  // The lines are so far apart that each is sung for longer than any press takes.
  await openPlayer(
    buildMelodyWithText({
      melodyText: SUNG_TEXT,
      timings: SUNG_TEXT_LINE_INDEXES.map((at, i) => ({ line: at, start: i * 9 })),
      seconds: 27,
    }),
  );
  await line('Dak gi jin').getByText('Dak gi jin').click();
  await expect.poll(getPlaybackState).toMatchObject({ plays: true });
  // Waits for the seek, which happens only when some audio has loaded.
  await expect.poll(() => getPlaybackState().at).toBeGreaterThanOrEqual(18);
  await pressKeyOn(page.getByRole('button', { name: /Play from “Jangchub/ }), 'Enter');
  await isLit('Jangchub');
  getLastPlayedElement().pause();
  await isLit('Jangchub');
});

test('two lines can be chosen as a loop by keyboard, and their numbers are shown', async () => {
  await openPlayer(aTimedSong());
  await pressKeyOn(page.getByRole('button', { name: 'Lines', exact: true }), 'Enter');
  await pressKeyOn(page.getByRole('button', { name: 'Loop several lines' }), 'Enter');
  await expect.element(page.getByText('Choose the line where the loop starts.')).toBeVisible();
  // Chooses the later line first, which gives the same loop.
  await pressKeyOn(page.getByRole('button', { name: /Start the loop at “Jangchub/ }), 'Enter');
  await expect.element(page.getByText(/^The loop starts at “Jangchub/)).toBeVisible();
  await pressKeyOn(page.getByRole('button', { name: /End the loop at “Sangye/ }), 'Enter');
  await expectText(page.getByText(/^Lines 1–2 · /), 'Lines 1–2 · 0:');
  await expectCount(page.getByText(/^The loop starts at “Jangchub/), 0);
  await isLit('Jangchub');
  // The loop starts again at its first line.
  await isLit('Sangye');
  expect(getPlaybackState().plays).toBe(true);
});

test('layers stay hidden after reopening, and the last visible layer can’t be hidden', async () => {
  const melody = aTimedSong();
  await openPlayer(melody);
  const box = (name: string) => page.getByRole('checkbox', { name });
  const choice = page.getByRole('button', { name: /shown words$/ });
  await choice.click();
  await page.getByText('Tibetan', { exact: true }).click();
  await page.getByText('Translation', { exact: true }).click();
  await expectCount(page.getByText('I take refuge until awakening'), 0);
  await expectCount(page.css('.sung-text :lang(bo)'), 0);
  await pressKeyOn(box('Pronunciation'), ' ');
  await expect.element(box('Pronunciation')).toBeChecked();
  await expect.element(page.getByText('Jangchub bardu')).toBeVisible();
  await openPlayer(melody);
  await expect.element(page.getByText('Jangchub bardu')).toBeVisible();
  await choice.click();
  await expect.element(box('Tibetan')).not.toBeChecked();
  await expectCount(page.getByText('I take refuge until awakening'), 0);
  await page.getByText('Tibetan', { exact: true }).click();
  await page.getByText('Translation', { exact: true }).click();
});

test('copying words gives the typed text, not the displayed capitals', async () => {
  await openPlayer(buildMelodyWithText({ melodyText: SUNG_TEXT }));
  const words = page.getByText('Jangchub bardu');
  await expect.element(words).toHaveStyle({ textTransform: 'uppercase' });
  const copy = async (from: string, to: string) => {
    const at = (text: string) =>
      [...document.querySelectorAll('[data-line]')].find((part) => part.textContent.includes(text))!;
    getSelection()!.setBaseAndExtent(at(from).firstChild!, 0, at(to), 1);
    await userEvent.copy();
    return navigator.clipboard.readText();
  };
  expect(await copy('Jangchub', 'Jangchub')).toBe('Jangchub bardu dak ni kyab su chi');
  expect(await copy('སངས་རྒྱས', 'By the merit')).toBe(SUNG_TEXT);
});

test('words without times are shown in full and can’t be pressed', async () => {
  await openPlayer(buildMelodyWithText({ melodyText: 'om: mani\n\nbo: ཨོཾ།\nPadme' }));
  await expectTexts(page.css('.sung-text [data-line]'), ['om: mani', 'ཨོཾ།', 'Padme']);
  await expectCount(page.css('.sung-text button'), 0);
  await pressPlayerButton('Lines');
  await expect.element(page.getByRole('button', { name: 'Print the words' })).toBeVisible();
  await expectCount(page.getByRole('button', { name: 'Loop several lines' }), 0);
  await expectCount(page.getByRole('button', { name: 'Time the lines' }), 0);
});

test('after the reader scrolls, the text follows playback again only on request', async () => {
  const many = Array.from({ length: 40 }, (_, i) => `Line ${i}`);
  await openPlayer(
    buildMelodyWithText({
      melodyText: many.join('\n\n'),
      timings: many.map((_, i) => ({ line: i * 2, start: i * 0.1 })),
    }),
  );
  const current = page.css('.sung-text [aria-current]');
  await pressLine('Play from “Line 0”, 0:00');
  // The text scrolls with the melody.
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(1.5);
  await expect.element(current).toBeInViewport();
  await expect.element(line('Line 0').first()).not.toBeInViewport();
  await userEvent.wheel(page.css('.sung-text'), { delta: { y: -3_000 } });
  const back = page.getByRole('button', { name: 'Back to the line being sung' });
  await expect.element(back).toBeVisible();
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(3);
  await expect.element(current).not.toBeInViewport();
  await expectAccessible('the reader has scrolled');
  await back.click();
  await expect.element(current).toBeInViewport();
  await expectCount(back, 0);
});

test('the teacher taps lines, corrects their times and saves them', async () => {
  const melody = buildMelodyWithText({ melodyText: SUNG_TEXT, seconds: 60 });
  await openPlayer(melody, { user: teacher });
  const { stored, starts } = serveChangeableMelody(melody);
  const areTimed = (count: number) =>
    expect.element(page.getByText(`${count} of 3 lines timed`)).toBeVisible();
  /** Waits long enough that the next tap does not count as accidental. */
  const singOn = async () => {
    const { at } = getPlaybackState();
    await expect.poll(() => getPlaybackState().at).toBeGreaterThan(at + 0.4);
  };
  await pressPlayerButton('Time the lines');
  await areTimed(0);
  await userEvent.keyboard('t');
  await singOn();
  await pressPlayerButton(/^Tap when line 1 starts/);
  await areTimed(1);
  await singOn();
  await userEvent.keyboard('t');
  await areTimed(2);
  await userEvent.keyboard('u');
  await areTimed(1);
  await pressKeyOn(page.getByRole('button', { name: /^Tap when line 2 starts/ }), 'Enter');
  await areTimed(2);
  await singOn();
  await pressKeyOn(page.getByRole('button', { name: /^Tap when line 3 starts/ }), ' ');
  await areTimed(3);
  getLastPlayedElement().pause();
  const row = page.getByRole('button', { name: /^0:\d\d\.\d .*Jangchub/ });
  await row.click();
  const before = row.element().textContent;
  await pressPlayerButton('0.1 s later');
  await expect.poll(() => row.element().textContent).not.toBe(before);
  expect(getCalls(api.melodies.change)).toEqual([]);

  await pressPlayerButton(/^Save times/);
  await expect.element(page.getByText('Timing saved.', { exact: true })).toBeVisible();
  expect(stored().timings?.map((each) => each.line)).toEqual(SUNG_TEXT_LINE_INDEXES);
  expect(starts()).toEqual(starts()?.toSorted((a, b) => a - b));

  await pressPlayerButton('Back to the words');
  await expect.element(page.getByRole('button', { name: /Play from “Jangchub/ })).toBeVisible();
});

const useTimes = async (lrc: string) => {
  await openLrc();
  await pasteTimes(lrc);
};
const pasteTimes = async (lrc: string) => {
  await page.getByLabelText('Or paste it here').fill(lrc);
  await pressPlayerButton('Use these times');
};
/** Returns an LRC file of the sung text with these starts. */
const withStarts = (...starts: string[]) =>
  starts.map((start, at) => `[${start}]${SUNG_TEXT.split('\n')[SUNG_TEXT_LINE_INDEXES[at]! + 1]}`).join('\n');
const lrcField = page.css('input[type=file][accept*=lrc]');
const chooseLrc = (file: File) => userEvent.upload(lrcField, file);
const openLrc = async () => {
  await pressPlayerButton('Menu');
  await pressPlayerButton('Timing file (LRC)');
};

test('unsaved times survive rejected files, failed saves and leaving the view', async () => {
  const melody = buildMelodyWithText({ melodyText: SUNG_TEXT });
  await openPlayer(melody, { user: teacher });
  await pressPlayerButton('Time the lines');
  await useTimes(`${withStarts('00:01.00', '00:02')}\n[00:03]c\n[00:04]d`);
  await expect.element(page.getByText('3 of 3 lines are timed.')).toBeVisible();
  await expect.element(page.getByText('These words aren’t in the melody: “d”.')).toBeVisible();
  await useTimes('no times at all');
  await expectText(page.getByRole('alert'), 'It has no times.');
  await pasteTimes('[00:01]Om mani\n[00:02]padme hung\n[00:03]Jangchub bardu dak ni kyab su chi');
  await expectText(page.getByRole('alert'), 'Most of its words aren’t in this melody.');
  await pasteTimes(withStarts('00:01', '00:02', '59:00'));
  await expectText(
    page.getByRole('alert'),
    'Some of its times are after the end of this melody, which is 20 seconds long.',
  );
  chooseFile(lrcField, new File([new Uint8Array(4_000_001)], 'song.lrc', { type: 'text/plain' }));
  await expect.element(page.getByText('This file is too large for a timing file.')).toBeVisible();
  await expect.element(page.getByText('Your times haven’t changed.').first()).toBeVisible();
  await pressPlayerButton('Close');
  await expect.element(page.getByText('3 of 3 lines timed')).toBeVisible();

  breakConnection(api.melodies.change);
  await pressPlayerButton(/^Save times/);
  await expect.element(page.getByText('The times couldn’t be saved')).toBeVisible();
  await pressPlayerButton('Back to the words');
  await expect.element(page.getByText('Leave without saving the times?')).toBeVisible();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();

  await openPlayer(melody, { user: teacher });
  const { starts } = serveChangeableMelody(melody);
  await pressPlayerButton('Time the lines');
  await expect.element(page.getByText('Your unfinished times are back')).toBeVisible();
  await pressPlayerButton(/^Save times/);
  const saved = page.getByText('Timing saved.', { exact: true });
  await expect.element(saved).toBeVisible();
  expect(starts()).toEqual([1, 2, 3]);

  // A rejected file must not be reported as saved or shown as chosen.
  await openLrc();
  const latin1 = Uint8Array.from([...'[00:09]Sangyé'].map((letter) => letter.charCodeAt(0)));
  await chooseLrc(new File([latin1], 'old.lrc', { type: 'text/plain' }));
  const refusal = page.getByRole('alert').filter({ hasText: 'Couldn’t use “old.lrc”.' });
  await expectText(
    refusal,
    'It has an older text format. In your text editor, save it with the encoding “UTF-8”',
  );
  await expectCount(page.getByText(/saved\.?$/), 0);
  await expectCount(page.getByRole('button', { name: 'Remove old.lrc' }), 0);
  await pressPlayerButton('Close');
  await expectCount(saved, 0);
  await expect.element(page.getByText('3 of 3 lines timed')).toBeVisible();
  expect(starts()).toEqual([1, 2, 3]);
});

test('times changed during a save stay on the device until discarded', async () => {
  const melody = buildMelodyWithText({ melodyText: SUNG_TEXT });
  await openPlayer(melody, { user: teacher });
  const { stored, starts } = serveChangeableMelody(melody);
  await pressPlayerButton('Time the lines');
  await useTimes(withStarts('00:01', '00:02', '00:03'));
  const release = holdResponses(api.melodies.change);
  await pressPlayerButton(/^Save times/);
  await useTimes(withStarts('00:04', '00:05', '00:06'));
  release();
  await expect.poll(starts).toEqual([1, 2, 3]);
  await expect.element(page.getByRole('button', { name: /^Save times/ })).toBeEnabled();

  await openPlayer(stored(), { user: teacher });
  await pressPlayerButton('Time the lines');
  const areHereAgain = page.getByText('Your unfinished times are back');
  await expect.element(areHereAgain).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^0:04\.0/ })).toBeVisible();
  await pressPlayerButton('Discard them');
  const asked = page.getByRole('alertdialog', { name: 'Discard these times?' });
  await asked.getByRole('button', { name: 'Discard', exact: true }).click();
  await expectCount(areHereAgain, 0);
  await expect.element(page.getByRole('button', { name: /^0:01\.0/ })).toBeVisible();
});

test('the teacher imports words and times from an LRC file and exports them unchanged', async () => {
  const melody = buildMelodyWithText({ melodyText: null });
  await openPlayer(melody, { user: teacher });
  const { stored } = serveChangeableMelody(melody);
  await pressPlayerButton('Time the lines');
  await openLrc();
  const lrc = `[ti:Song]\n[00:01.25]Om mani\n[00:02.50]padme hung\n`;
  await chooseLrc(new File([lrc], 'song.lrc', { type: 'text/plain' }));
  await expect.element(page.getByText('2 of 2 lines are timed.')).toBeVisible();
  const made = vi.spyOn(URL, 'createObjectURL');
  await openLrc();
  await pressPlayerButton('Download timing file');
  await expect.poll(() => navigationsAndDownloads).toEqual(['Song.lrc']);
  expect(await (made.mock.calls[0]![0] as Blob).text()).toBe(lrc);
  await pressPlayerButton('Close');
  await pressPlayerButton(/^Save times/);
  await expect.element(page.getByText('Timing saved.', { exact: true })).toBeVisible();
  expect(stored()).toMatchObject({
    melodyText: 'Om mani\npadme hung',
    timings: [
      { line: 0, start: 1.25 },
      { line: 1, start: 2.5 },
    ],
  });
});

test('the words and the timing view are accessible at 320 px, in both themes', async () => {
  await openPlayerByUrl(aTimedSong(), '&line=2', { user: teacher });
  await page.viewport(320, 640);
  await isLit('Jangchub');
  await pressPlayerButton('Menu');
  await pressPlayerButton('Loop several lines');
  await expectAccessibleInBothThemes('words');
  expectNoHorizontalScroll('words');
  await pressPlayerButton('Time the lines');
  await page
    .getByRole('button', { name: /Sangye chö/ })
    .first()
    .click();
  await expectAccessibleInBothThemes('timing');
  expectNoHorizontalScroll('timing');
  await openLrc();
  await expectAccessibleInBothThemes('timing file');
  expect(playerDialog.elements()).toHaveLength(1);
});

test('the timing view replaces the player’s controls and centres the next line', async () => {
  const many = Array.from({ length: 30 }, (_, i) => `bo: བླ་མ་མཁྱེན་ནོ།\nph: Line ${i + 1}`);
  const passages = [0.14, 0.52, 1].map((start, i) => ({ line: i * 3, start }));
  await openPlayer(buildMelodyWithText({ melodyText: many.join('\n\n'), timings: passages }), {
    user: teacher,
  });
  await page.viewport(390, 664);
  await pressPlayerButton('Time the lines');
  const area = page.getByRole('region', { name: 'Time the lines' });
  const next = area.css('[data-next]');
  const isInTheMiddle = async (words: string) => {
    await expectText(next, words);
    await expect
      .poll(() => {
        const [view, box] = [area, next].map((each) => each.element().getBoundingClientRect());
        return Math.abs(view!.top + view!.height / 2 - (box!.top + box!.height / 2));
      })
      .toBeLessThan(2);
  };
  await isInTheMiddle('Next: line 4 of 30');
  await expect.element(next.css('[lang=bo]')).toBeVisible();
  expect(area.element().clientHeight).toBeGreaterThan(0.5 * innerHeight);
  await expectTexts(area.css('li').first().css('button > span:first-child'), ['0:00.1']);
  await expectTexts(area.css('li').nth(1).css('button > span:first-child'), ['0:00.5']);
  for (const gone of ['A point', 'B point'])
    await expectCount(playerDialog.getByRole('slider', { name: gone }), 0);
  for (const gone of ['Set A point', 'Stop', 'Restart', 'Close'])
    await expectCount(playerDialog.getByRole('button', { name: gone, exact: true }), 0);

  // The pad acts when it is touched, not when it is released.
  const pad = playerDialog.getByRole('button', { name: /^Play, then tap when line 4 starts/ });
  await expect.element(pad).toHaveFocus();
  const touch = (target: Element) => target.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  touch(pad.element());
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(1.3);
  touch(playerDialog.getByRole('button', { name: /^Tap when line 4 starts/ }).element());
  await isInTheMiddle('Next: line 5 of 30');
  getLastPlayedElement().pause();
  await page.viewport(844, 390);
  await isInTheMiddle('Next: line 5 of 30');
  await page.viewport(390, 664);
  await pressPlayerButton('Undo');
  await isInTheMiddle('Next: line 4 of 30');

  // The selected line shows tools for its time instead of its Tibetan. Esc returns to the words without closing
  // the player.
  const line2 = area.getByRole('button', { name: /^0:00\.5/ });
  await line2.click();
  await expectCount(line2.css('[lang=bo]'), 0);
  await expect.element(area.getByRole('button', { name: '0.1 s later' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expectCount(area, 0);
  await expect.element(playerDialog.getByRole('button', { name: 'Play', exact: true })).toHaveFocus();
});

test('at half speed, the player highlights each line while it is sung', async () => {
  // The lines are so far apart that even a busy page highlights each of them.
  const starts = [0.2, 0.95, 1.7];
  await openPlayer(
    buildMelodyWithText({
      melodyText: SUNG_TEXT,
      timings: SUNG_TEXT_LINE_INDEXES.map((at, i) => ({ line: at, start: starts[i]! })),
    }),
  );
  await expectCount(page.css('[aria-current=true]'), 0);
  const watched = recordHighlightedLines(starts);
  await pressLine(/Play from “Sangye/);
  getLastPlayedElement().playbackRate = 0.5;
  const lit = await watched;
  expect(lit.map((each) => each.line)).toEqual([0, 1, 2]);
  // Skips the first line, because it was pressed, so it is highlighted before its audio plays.
  for (const { framesLate, secondsEarly } of lit.slice(1)) {
    // 12 frames are about 200 ms on a machine that renders 60 frames a second.
    expect(framesLate).toBeLessThanOrEqual(12);
    expect(secondsEarly).toBeLessThanOrEqual(0.2);
  }
  await isLit('Dak gi jin');
  await expectCount(page.css('.sung-text [aria-current]'), 1);
});

/**
 * Watches the melody frame by frame, until the last line is highlighted.
 * @returns for each line, in the order of highlighting: how many frames it was late, and how many seconds of
 * the melody it was early
 */
async function recordHighlightedLines(starts: number[]) {
  const lit: { line: number; framesLate: number; secondsEarly: number }[] = [];
  const framesSince = starts.map(() => 0);
  while (lit.at(-1)?.line !== starts.length - 1) {
    await new Promise(requestAnimationFrame);
    const { at } = getPlaybackState();
    const lines = [...document.querySelectorAll('.sung-text li')];
    const now = lines.findIndex((each) => each.hasAttribute('aria-current'));
    if (now >= 0 && now !== lit.at(-1)?.line)
      lit.push({
        line: now,
        framesLate: framesSince[now]!,
        secondsEarly: Math.max(0, starts[now]! - at),
      });
    starts.forEach((start, i) => (framesSince[i]! += at >= start ? 1 : 0));
  }
  return lit;
}
