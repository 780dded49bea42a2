import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  mockLibrary,
  OPEN_LEVEL,
  type RecordingFixture,
  getToneFileName,
} from '#testing/browser/community.ts';
import { fakeAligner } from '#testing/browser/fake-aligner.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  setFileState,
  holdResponses,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import { openPageWithStream, sendChanges } from '#testing/browser/fake-event-stream.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectTexts, page, userEvent } from '#testing/browser/screen.ts';
import type { RecordingLines } from '#features/line-matching/contract.ts';

const LINES = [
  'Sangye chö dang tsok kyi chok nam la',
  'བྱང་ཆུབ་བར་དུ་བདག་ནི་སྐྱབས་སུ་མཆི།',
  'Dakgijinsokgyipesönamkyi'.repeat(3),
  'Drola pen chir sangye drub par shok',
];
const praise = buildMelody('Refuge Prayer', {
  level: OPEN_LEVEL,
  melodyText: LINES.join('\n'),
  timings: [2, 30, 60, 90].map((start, line) => ({ line, start })),
  audioUrl: getToneFileName(100),
  duration: 100,
});
/** The melody `praise`, but with a short first line. */
const brief = {
  ...praise,
  timings: [2, 2.5, 60, 90].map((start, line) => ({ line, start })),
};

/** Lines found in a recording. The third is only a guess. */
const FOUND: RecordingLines['lines'] = [
  { line: 0, start: 1, end: 20, sure: 0.9 },
  { line: 1, start: 20, end: 40, sure: 0.9 },
  { line: 2, start: 40, end: 50, sure: 0.2 },
  { line: 3, start: 50, end: 60, sure: 0.8 },
];
const ready = (lines = FOUND): RecordingLines => ({ state: 'ready', lines });

/** Creates attempts, earliest first, whose audio files differ in length. */
const attemptsOf = (count: number): RecordingFixture[] =>
  Array.from({ length: count }, (_, at) =>
    buildRecording('Refuge Prayer', {
      melodyId: praise.id,
      attempt: at + 1,
      status: 'reviewed',
      audioUrl: getToneFileName(60 + at),
      duration: 60 + at,
    }),
  );

const VOICE = '00000000-0000-4000-8000-000000000001';
const answerTo = (recording: RecordingFixture) =>
  buildFeedback(recording, {
    status: 'read',
    marks: [
      { start: 25, end: null, text: 'Rise on bardu a little sooner.' },
      { start: 26, end: 28, text: 'ལེགས་སོ།', melodyAt: 90, voice: VOICE },
    ],
    voices: [{ id: VOICE, audioUrl: getToneFileName(2), audioCopies: [], duration: 2, peaks: null }],
  });

/** Returns the file and current second of each audio element that is playing. */
const getPlayingSounds = () =>
  [...played].filter(({ paused }) => !paused).map((audio) => [fileOf(audio), audio.currentTime]);
const played = new Set<HTMLMediaElement>();
const { play } = HTMLMediaElement.prototype;
let order: [string | undefined, number][] = [];
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  played.add(this);
  order.push([fileOf(this), this.currentTime]);
  return play.call(this);
};
const fileOf = ({ src }: HTMLMediaElement) => new URL(src).pathname.split('/').at(-1);

afterEach(() => void vi.unstubAllGlobals());
beforeEach(() => {
  order = [];
  mockLibrary([praise]);
});

/** Sets up the server with these attempts, the newest of which has feedback. */
function serveAttempts(attempts: RecordingFixture[], lines: (id: number) => RecordingLines = () => ready()) {
  const newest = attempts.at(-1)!;
  const feedback = answerTo(newest);
  mockEndpoint(api.feedback.mine, [feedback]);
  mockEndpoint(api.recordings.mine, attempts.toReversed());
  mockEndpoint(
    api.feedback.thread,
    attempts.map((recording) => ({ recording, feedback: recording === newest ? feedback : null })),
  );
  mockEndpoint(api.recordingLines.ofRecording, ({ path }) => lines(Number(path.split('/')[3])));
  return newest;
}

const compare = () => page.getByRole('button', { name: 'Compare', exact: true }).click();
const unfold = page.getByRole('button', { name: /^Compare line by line/ });
const line = (number: number) => page.getByRole('group', { name: `Line ${number}`, exact: true });
const press = (name: string) => page.getByRole('button', { name, exact: true });

test('a student can play each line from both recordings and read comments on it', async () => {
  const own = serveAttempts(attemptsOf(1));
  await renderPage('/feedback');
  await compare();
  await expect.element(unfold).toHaveTextContent('Compare line by line');
  expect([getCalls(api.recordingLines.ofRecording), getCalls(api.feedback.thread)]).toEqual([[], []]);
  await unfold.click();
  await expectTexts(page.getByRole('group', { name: /^Line/ }), [
    'Khandro-laMine',
    'Khandro-laMine',
    'Khandro-laMine: not found',
    'Khandro-laMine',
  ]);
  await expect.element(page.getByText(LINES[1]!)).toHaveAttribute('lang', 'bo');

  await press('Khandro-la, line 2').click();
  await expect.element(press('Khandro-la, line 2')).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => order).toEqual([[getToneFileName(100), 30]]);
  // Only one recording plays at a time.
  await press('Mine, line 2').click();
  await expect.poll(getPlayingSounds).toEqual([[own.audioUrl, expect.any(Number)]]);
  expect(order.at(-1)).toEqual([own.audioUrl, 20]);
  await expect.element(press('Khandro-la, line 2')).toHaveAttribute('aria-pressed', 'false');
  await press('Mine, line 2').click();
  await expect.poll(getPlayingSounds).toEqual([]);

  // Both comments were made during the second line, but one was assigned to the fourth line.
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('group', { name: /^Line/ }) });
  await expect.element(rows.nth(1).getByText('Rise on bardu a little sooner.')).toBeVisible();
  await expect.element(rows.nth(3).getByText('ལེགས་སོ།')).toHaveAttribute('lang', 'bo');
  await press('Play the voice comment, 2 seconds').click();
  await expect.poll(() => order.at(-1)).toEqual([getToneFileName(2), 0]);

  // With the keyboard, opens a line, plays all its recordings, and stops with Space while nothing has focus.
  const opened = page.getByRole('button', { name: /^Line 1/ });
  (opened.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(opened).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{Tab}{Tab}{Tab}');
  await expect.element(press('Play all, line 1')).toHaveFocus();
  order = [];
  await userEvent.keyboard(' ');
  await expect.poll(getPlayingSounds).toEqual([[getToneFileName(100), expect.any(Number)]]);
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Khandro-la, line 1' }))
    .toBeInTheDocument();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard(' ');
  await expect.poll(getPlayingSounds).toEqual([]);
  expect(order).toEqual([[getToneFileName(100), 2]]);
  await press('Play all, line 1').click();
  await expectAccessibleWithoutOverflow('line by line, a line open');
});

test('an open line offers the first, current, chosen and last two attempts', async () => {
  const attempts = attemptsOf(6);
  // The line begins later in each attempt. It is missing in the fifth, and the sixth is still being analysed.
  const sung = (id: number): RecordingLines => {
    const at = attempts.findIndex((each) => each.id === id);
    if (at === 5) return { state: 'working', lines: [] };
    return ready(at === 4 ? FOUND.slice(1) : [{ line: 0, start: 1 + at / 10, end: 1.5 + at / 10, sure: 1 }]);
  };
  mockLibrary([brief]);
  serveAttempts(attempts, sung);
  const second = attempts[1]!;
  mockEndpoint(api.recordings.mine, [second]);
  await renderPage('/past-recordings');
  await unfold.click();
  await expect.element(line(1)).toHaveTextContent('Khandro-laMine');
  const asked = () =>
    getCalls(api.recordingLines.ofRecording).map(({ path }) =>
      attempts.findIndex(({ id }) => path.includes(`/${id}/`)),
    );
  // The lines of other attempts are not requested until a line is opened.
  expect([...new Set(asked())]).toEqual([1]);
  await page.getByRole('button', { name: /^Line 1/ }).click();
  await expect.element(line(1)).toHaveTextContent('Khandro-la1st2nd5th: not found6th: not ready yetPlay all');
  expect([...new Set(asked())].toSorted()).toEqual([0, 1, 4, 5]);
  await page.getByLabelText('Another recording').selectOptions('Third recording');
  await expect
    .element(line(1))
    .toHaveTextContent('Khandro-la1st2nd3rd5th: not found6th: not ready yetPlay all');

  await press('Play all, line 1').click();
  await expect
    .poll(() => order.map(([file]) => file))
    .toEqual([getToneFileName(100), getToneFileName(60), getToneFileName(61), getToneFileName(62)]);
  await expect.poll(getPlayingSounds).toEqual([]);
  expect(order.map(([, at]) => at)).toEqual([2, 1, 1.1, 1.2]);
  await press('3rd recording, line 1').click();
  await expect.poll(() => order.at(-1)).toEqual([getToneFileName(62), 1.2]);
  // Closing the list stops playback.
  await press('Khandro-la, line 3').click();
  await expect.poll(getPlayingSounds).toEqual([[getToneFileName(100), expect.any(Number)]]);
  await unfold.click();
  await expect.poll(getPlayingSounds).toEqual([]);
});

test('"Play all" waits until the lines of the other attempts are loaded', async () => {
  const attempts = attemptsOf(2);
  mockLibrary([brief]);
  serveAttempts(attempts, () => ready([{ line: 0, start: 1, end: 1.5, sure: 1 }]));
  const first = attempts[0]!;
  const release = holdResponses(api.recordingLines.ofRecording, ({ path }) => path.includes(`/${first.id}/`));
  await renderPage('/feedback');
  await compare();
  await unfold.click();
  await page.getByRole('button', { name: /^Line 1/ }).click();
  await expect.element(line(1)).toHaveTextContent('Khandro-la1st: …2ndPlay all');
  await expect.element(press('Play all, line 1')).toBeDisabled();
  release();
  await press('Play all, line 1').click();
  await expect
    .poll(() => order.map(([file]) => file))
    .toEqual([getToneFileName(100), first.audioUrl, attempts[1]!.audioUrl]);
});

test('shows lines once they are found, or both full recordings if finding them fails', async () => {
  const own = serveAttempts(attemptsOf(1), () => ({ state: 'working', lines: [] }));
  await openPageWithStream('/feedback');
  await compare();
  await unfold.click();
  const said = page.getByText(/still finding the lines/);
  await expect.element(said).toBeVisible();
  mockEndpoint(api.recordingLines.ofRecording, ready());
  sendChanges(`/api/recordings/${own.id}/lines`);
  await expect.element(line(1)).toBeVisible();
  await expectCount(said, 0);

  mockEndpoint(api.recordingLines.ofRecording, { state: 'unsure', lines: [] });
  await unfold.click();
  await unfold.click();
  await expect.element(page.getByText(/so here are both recordings in full/)).toBeVisible();
  await expectCount(page.getByRole('group', { name: /^Line/ }), 0);
  await press('Play Khandro-la: Refuge Prayer').click();
  await expect.poll(getPlayingSounds).toEqual([[getToneFileName(100), expect.any(Number)]]);
  await press('Play Mine: Refuge Prayer').click();
  await expect.poll(getPlayingSounds).toEqual([[own.audioUrl, expect.any(Number)]]);
});

test('hides the lines from a student who loses access to the melody', async () => {
  serveAttempts(attemptsOf(1));
  await openPageWithStream('/feedback');
  await compare();
  await unfold.click();
  await press('Khandro-la, line 1').click();
  await expect.poll(getPlayingSounds).toEqual([[getToneFileName(100), expect.any(Number)]]);
  const withdraw = () => {
    mockEndpoint(api.melodies.timed, []);
    rejectCalls(api.melodies.one, 404, { message: 'This melody no longer exists' });
  };
  withdraw();
  sendChanges('/api/melodies');
  await expectCount(unfold, 0);
  await expect.poll(getPlayingSounds).toEqual([]);

  // Without a change event, the page notices the lost access when it fetches the lines.
  mockLibrary([praise]);
  await renderPage('/feedback');
  await compare();
  await expect.element(unfold).toBeVisible();
  withdraw();
  await unfold.click();
  await expectCount(unfold, 0);
  expect(document.body.textContent).not.toContain(LINES[0]!);
});

test('shows an error if lines, attempts or audio fail to load, and can retry each', async () => {
  const attempts = attemptsOf(2);
  const first = attempts[0]!;
  first.audioUrl = 'cut-off.wav';
  mockLibrary([brief]);
  serveAttempts(attempts);
  const restore = breakConnection(api.recordingLines.ofRecording);
  await renderPage('/feedback');
  await compare();
  await unfold.click();
  await expect.element(page.getByText('The lines could not be loaded.')).toBeVisible();
  restore();
  await press('Try again').click();
  await expect.element(line(1)).toBeVisible();

  const restoreAttempts = breakConnection(api.recordingLines.ofRecording);
  await page.getByRole('button', { name: /^Line 1/ }).click();
  await expect.element(line(1)).toHaveTextContent('Khandro-la1st: couldn’t load2ndPlay all');
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Your other recordings could not be loaded.');
  restoreAttempts();
  await press('Try again').click();
  await expect.element(press('1st recording, line 1')).toBeVisible();

  await setFileState(first.audioUrl, 'broken');
  await press('Play all, line 1').click();
  await expect
    .element(page.getByText('This couldn’t be played. Please try again.').first())
    .toBeInTheDocument();
  await expect.poll(getPlayingSounds).toEqual([]);
  await setFileState(first.audioUrl, 'there');
  await press('1st recording, line 1').click();
  await expect.poll(() => order.at(-1)).toEqual([first.audioUrl, 1]);
  await expectCount(page.getByText('This couldn’t be played. Please try again.'), 0);
});

test('does not offer “Compare line by line” for a recording without a timed melody', async () => {
  mockLibrary([{ ...praise, timings: null }]);
  const [recording] = attemptsOf(1);
  mockEndpoint(api.recordings.mine, [recording!, buildRecording('Freely sung')]);
  await renderPage('/past-recordings');
  await expectCount(page.getByRole('article'), 2);
  await expectCount(unfold, 0);
});

test('draws and describes the pitch of a line when the picture is opened', async () => {
  const aligner = fakeAligner();
  serveAttempts(attemptsOf(1));
  await renderPage('/feedback');
  await compare();
  await unfold.click();
  await page.getByRole('button', { name: /^Line 2/ }).click();
  const picture = page.getByRole('button', { name: 'See the melody’s shape' });
  await expect.element(picture).toHaveAttribute('aria-expanded', 'false');
  expect(aligner.workers).toEqual([]);
  const level = new Float32Array(45);
  const rising = level.map((_, at) => at * 10);
  // Simulates a line in which the starts of the syllables could not be determined.
  aligner.sees({ melodyCents: rising, takeCents: level, syllables: null });
  await picture.click();
  await expect
    .element(page.getByRole('img', { name: 'The melody’s shape in line 2, Khandro-la’s and yours' }))
    .toHaveAccessibleDescription(
      'Khandro-la’s line climbs from “བྱང” and is highest on “མཆི”. Yours stays close to one note. We couldn’t tell where each syllable starts, so the syllables are spread evenly.',
    );
  // Only the two passages (30 s and 20 s) were analysed, in chunks of 15 s.
  const heard = aligner.workers.at(-1)!.asked.join(' ');
  expect(heard).toBe('hear hear end hear hear end compare');
  expect(aligner.workers.every(({ hasEnded }) => hasEnded)).toBe(true);

  await page.getByRole('button', { name: /^Line 4/ }).click();
  await setFileState(praise.audioUrl!, 'broken');
  await picture.click();
  await expect
    .element(page.getByText('The shape couldn’t be drawn. You can still listen to both.'))
    .toBeVisible();
  await setFileState(praise.audioUrl!, 'there');
});
