import type { Mark } from '#features/feedback/contract.ts';
import { writtenFrom } from '#features/feedback/marks.ts';
import { describe, expect, test } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '#app/api.ts';
import {
  aFeedback,
  aMelody,
  aRecording,
  aTeacher,
  library,
  type Melody,
  soundOf,
} from '#testing/browser/community.ts';
import { answer, askedPaths, callsOf, refuse } from '#testing/browser/fake-api.ts';
import { expectAccessible } from '#testing/browser/look.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { clickAtOnce, expectCount, page, userEvent } from '#testing/browser/screen.ts';

const LINES = ['Sangye chö dang', 'བྱང་ཆུབ་བར་དུ་', 'Dakgi jin sok', 'Drola pen chir'];
const aTimedMelody = (starts: number[] | null) =>
  aMelody('Refuge Prayer', {
    melodyText: LINES.join('\n'),
    timings: starts?.map((start, line) => ({ line, start })) ?? null,
    audioUrl: soundOf(20),
    duration: 20,
  });

const played = new Set<HTMLMediaElement>();
const { play } = HTMLMediaElement.prototype;
/** What was played, in order: each file, and the second at which it began. */
let order: { file: string | undefined; at: number }[] = [];
const listening = function (this: HTMLMediaElement) {
  played.add(this);
  order.push({ file: fileOf(this), at: this.currentTime });
  return play.call(this);
};
HTMLMediaElement.prototype.play = listening;

const fileOf = ({ src }: HTMLMediaElement) => new URL(src).pathname.split('/').at(-1);

/** The sounds that play now: each file and its second. */
const sounding = () =>
  [...played]
    .filter(({ paused }) => !paused)
    .map((audio) => ({ file: fileOf(audio), at: audio.currentTime }));
const places = () => [...played].map(({ currentTime }) => Math.round(currentTime)).toSorted((a, b) => a - b);

const lineOf = (card: Locator, place: string) =>
  card.getByLabelText(`Line of the melody for the mark at ${place}`);
const chosen = (line: Locator) => {
  const { selectedOptions } = line.element() as HTMLSelectElement;
  return selectedOptions[0]?.textContent;
};

test('the teacher sees the line of each mark, chooses one, and those behind it follow', async () => {
  const melody = aTimedMelody([2, 6, 10, 14]);
  library([melody]);
  const later = aRecording('Sung later', {
    melodyId: melody.id,
    attempt: 1,
    audioUrl: soundOf(20),
    duration: 20,
  });
  answer(api.recordings.pendingForInbox, [later]);
  let marks = [1, 5, 9].map((start) => ({ start, end: null, text: `At ${start}` })) as object[];
  answer(api.feedback.drafts, () => [
    {
      recordingId: later.id,
      isAnswered: false,
      text: '',
      marks: marks as [],
      updatedAt: new Date(),
      revision: '00000000-0000-4000-8000-000000000000',
    },
  ]);
  answer(api.feedback.keepDraft, ({ body }) => {
    marks = body['marks'] as object[];
    return { message: 'Kept', revision: body['revision'] as string };
  });
  const user = aTeacher();
  await renderPage('/admin', { user });
  const card = page.getByRole('article');
  const [first, second, third] = ['0:01', '0:05', '0:09'].map((place) => lineOf(card, place)) as [
    Locator,
    Locator,
    Locator,
  ];
  await expect.poll(() => chosen(second)).toBe(`1. ${LINES[0]}`);
  await expect.poll(() => chosen(third)).toBe(`2. ${LINES[1]}`);
  await expect.element(third).toHaveAttribute('lang', 'bo');
  await expect.poll(() => chosen(first)).toBe('No line');
  await expect.element(first).toHaveAccessibleDescription(/^no line\? A guess/);
  await expect.element(second).toHaveAccessibleDescription(/^line 1\? A guess/);

  // By keyboard.
  (card.getByLabelText('Words for the mark at 0:01').element() as HTMLElement).focus();
  await userEvent.keyboard('{Tab}');
  await expect.element(first).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => chosen(first)).toBe(`2. ${LINES[1]}`);
  await expect.element(first).toHaveAccessibleDescription('');
  await expect.poll(() => chosen(second)).toBe(`3. ${LINES[2]}`);
  await expect.poll(() => chosen(third)).toBe(`4. ${LINES[3]}`);
  // By pointer.
  await second.selectOptions('No line');
  await expect.poll(() => chosen(third)).toBe(`4. ${LINES[3]}`);
  await expect.element(card.getByText('Draft saved')).toBeVisible();
  await renderPage('/admin', { user });
  await expect.poll(() => chosen(second)).toBe('No line');
  answer(api.feedback.send, ({ body }) => {
    answer(api.recordings.pendingForInbox, []);
    const sent = JSON.parse(body['marks'] as string) as Mark[];
    const given = aFeedback(later, { marks: sent, writtenFeedback: writtenFrom(sent) });
    answer(api.feedback.ofRecording, given);
    return given;
  });
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expectCount(card, 0);
  const given = JSON.parse(callsOf(api.feedback.send)[0]?.body['marks'] as string) as [];
  expect(given).toMatchObject([
    { start: 1, melodyAt: 6 },
    { start: 5, melodyAt: null },
    { start: 9, melodyAt: 14 },
  ]);

  // And corrects it later.
  const feedback = aFeedback({ ...later, status: 'reviewed' }, { marks: given });
  answer(api.feedback.given, [feedback]);
  answer(api.feedback.correct, feedback);
  await renderPage('/past-feedback', { user });
  await page.getByRole('button', { name: /^Correct/ }).click();
  const form = page.getByRole('form');
  await expect.poll(() => chosen(lineOf(form, '0:09'))).toBe(`4. ${LINES[3]}`);
  await lineOf(form, '0:05').selectOptions(`1. ${LINES[0]}`);
  await form.getByRole('button', { name: 'Save the correction' }).click();
  await expectCount(form, 0);
  const corrected = JSON.parse(callsOf(api.feedback.correct)[0]?.body['marks'] as string) as unknown[];
  expect(corrected[1]).toMatchObject({ melodyAt: 2 });
});

test('a mark takes no more keys than before, and has its line suggested', async () => {
  const melody = aTimedMelody([2, 6, 10, 14]);
  library([melody]);
  answer(api.recordings.pendingForInbox, [aRecording('Marked quickly', { melodyId: melody.id, attempt: 1 })]);
  answer(api.feedback.keepDraft, { message: 'Kept', revision: '00000000-0000-4000-8000-000000000000' });
  await renderPage('/admin', { user: aTeacher() });
  const quick = page.getByRole('article');
  await expect.element(quick).toBeVisible();
  await userEvent.keyboard('j');
  await expect.element(page.getByRole('heading', { name: 'Marked quickly' })).toHaveFocus();
  await userEvent.keyboard('m');
  await expect.element(quick.getByLabelText('Words for the mark at 0:00')).toHaveFocus();
  await userEvent.keyboard('Begin lower{Enter}');
  await expect.element(quick.getByRole('button', { name: 'Mark this moment' })).toHaveFocus();
  await expect.poll(() => chosen(lineOf(quick, '0:00'))).toBe('No line');
  await expect.element(lineOf(quick, '0:00')).toHaveAccessibleDescription(/^no line\? A guess/);
});

test('without timed lines, or without a melody, nothing is said of lines', async () => {
  const melody = aTimedMelody(null);
  library([melody]);
  answer(api.recordings.pendingForInbox, [
    aRecording('Untimed', { melodyId: melody.id, attempt: 1 }),
    aRecording('Of no melody'),
  ]);
  answer(api.feedback.keepDraft, { message: 'Kept', revision: '00000000-0000-4000-8000-000000000000' });
  await renderPage('/admin', { user: aTeacher() });
  const cards = page.getByRole('article');
  await expectCount(cards, 2);
  await cards.first().getByRole('button', { name: 'Mark this moment' }).click();
  await expectCount(page.getByLabelText('Words for the mark at 0:00'), 1);
  await expect.poll(askedPaths).toContain(`/api/melodies/${melody.id}`);
  await expectCount(page.getByLabelText(/Line of the melody/), 0);
  await cards.last().getByRole('button', { name: 'Written feedback' }).click();
  await cards.last().getByRole('button', { name: 'Mark this moment' }).click();
  await expectCount(page.getByLabelText('Words for the mark at 0:00'), 2);
  await expectCount(page.getByLabelText(/Line of the melody/), 0);
});

describe('a student', () => {
  const mark = page.getByRole('listitem').filter({ hasText: 'Softer' });
  const yours = mark.getByText('Your recording');
  const theMelody = mark.getByText('The melody:');

  const VOICE = '00000000-0000-4000-8000-00000000000a';

  /**
   * Answered with a mark at 1–4 s that belongs to the second line, one of no line, one that is older than lines, and
   * one with a voice.
   */
  function answered() {
    played.clear();
    order = [];
    const melody = aTimedMelody([2, 6, 12, 16]);
    library([melody]);
    const sung = aRecording('To sing again', {
      melodyId: melody.id,
      attempt: 1,
      status: 'reviewed',
      audioUrl: soundOf(10),
      duration: 10,
    });
    const feedback = aFeedback(sung, {
      status: 'read',
      marks: [
        { start: 1, end: 4, text: 'Softer', melodyAt: 6 },
        { start: 5, end: 7, text: 'Of no line', melodyAt: null },
        { start: 7, end: 9, text: 'Older' },
        { start: 9, end: null, text: '', melodyAt: 6, voice: VOICE },
      ],
      voices: [{ id: VOICE, audioUrl: soundOf(2), audioCopies: [], duration: 2, peaks: null }],
    });
    answer(api.feedback.mine, [feedback]);
    answer(api.feedback.latest, { feedback });
    return { melody, sung };
  }

  test('presses a mark and hears the passage, then the same line of the melody', async () => {
    const { melody } = answered();
    await renderPage('/feedback');
    const card = page.getByRole('article');
    await expect.element(mark).toBeVisible();
    const ofMelody = () => askedPaths().filter((path) => path === `/api/melodies/${melody.id}`);
    expect(ofMelody()).toEqual([]);

    await clickAtOnce(mark.getByRole('button', { name: /^Play 0:01–0:04/ }));
    await expect.element(yours).toBeVisible();
    await expect.element(card.getByRole('status').filter({ hasText: 'Your recording' })).toBeInTheDocument();
    expect(sounding().map(({ file }) => file)).not.toContain(soundOf(20));
    await expect.element(theMelody).toBeVisible();
    await expect.element(mark.getByText(LINES[1]!)).toHaveAttribute('lang', 'bo');
    await expect
      .element(card.getByRole('status').filter({ hasText: `The melody: ${LINES[1]}` }))
      .toBeInTheDocument();
    await expect.poll(sounding).toEqual([{ file: soundOf(20), at: expect.any(Number) as number }]);
    const at = sounding()[0]?.at;
    expect(at).toBeGreaterThanOrEqual(6);
    expect(at).toBeLessThan(12);
    await expect
      .element(mark.getByRole('link', { name: 'Open the player at this line' }))
      .toHaveAttribute('href', `/melodies?play=${melody.id}&at=6`);
    await expectCount(theMelody, 0);
    await expect.poll(sounding).toEqual([]);
    // The passage to its end, the line to where the next one begins.
    expect(places()).toEqual([4, 12]);

    // A pin does the same, and the same press stops the line.
    await card.css('button').filter({ hasText: /^1$/ }).click();
    await expect.element(theMelody).toBeVisible();
    await mark.getByRole('button', { name: /^Stop 0:01–0:04/ }).click();
    await expectCount(theMelody, 0);
    await expect.poll(sounding).toEqual([]);

    // By keyboard: Space begins, Space stops, and Enter begins again.
    const button = mark.getByRole('button').first();
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard(' ');
    await expect.element(yours).toBeVisible();
    await userEvent.keyboard(' ');
    await expectCount(yours, 0);
    await expect.poll(sounding).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.element(theMelody).toBeVisible();
    // As where a press gives a button no focus.
    (button.element() as HTMLElement).blur();
    await userEvent.keyboard(' ');
    await expectCount(theMelody, 0);
    await expect.poll(sounding).toEqual([]);

    // The recording's own button stops the passage, and nothing follows.
    await clickAtOnce(button);
    await expect.poll(() => sounding()[0]?.at).toBeGreaterThan(1);
    await clickAtOnce(card.getByRole('button', { name: /^Pause Your recording/ }));
    await expectCount(yours, 0);

    // A mark of no line, and one that is older than lines, are heard alone.
    for (const words of ['Of no line', 'Older']) {
      const other = card.getByRole('listitem').filter({ hasText: words });
      await clickAtOnce(other.getByRole('button'));
      await expect.element(other.getByText('Your recording')).toBeVisible();
      await expectCount(other.getByText('Your recording'), 0);
      await expect.poll(sounding).toEqual([]);
      await expectCount(other.getByRole('link'), 0);
    }
  });

  test('hears of a mark with a voice the passage, the voice, the passage again and the melody', async () => {
    answered();
    await renderPage('/feedback');
    const spoken = page.getByRole('listitem').filter({ hasText: '0:09' });
    const press = spoken.getByRole('button', { name: 'Play 0:09 – spoken remark, 2 seconds' });
    const loud = (text: string) => page.getByRole('status').filter({ hasText: text });
    await clickAtOnce(press);
    await expect.element(spoken.getByText('The spoken remark')).toBeVisible();
    await expect.element(loud('The spoken remark')).toBeInTheDocument();
    expect(sounding().map(({ file }) => file)).toEqual([soundOf(2)]);
    await expect.element(spoken.getByText('The melody:')).toBeVisible();
    // The passage reaches the end of the recording.
    expect(order).toEqual([
      { file: soundOf(10), at: 9 },
      { file: soundOf(2), at: 0 },
      { file: soundOf(10), at: 9 },
      { file: soundOf(20), at: 6 },
    ]);
    await spoken.getByRole('button', { name: /^Stop/ }).click();
    await expect.poll(sounding).toEqual([]);
    await clickAtOnce(press);
    await expect.element(spoken.getByText('The spoken remark')).toBeVisible();
    await expectAccessible('a spoken remark that is heard');
  });

  test('hears in the same way what was said last time while singing again, and the microphone nothing of it', async () => {
    const { melody, sung } = answered();
    await renderPage(`/submit?melody=${melody.id}&after-recording=${sung.id}`);
    const here = page
      .getByRole('list', { name: /^Marks in/ })
      .getByRole('listitem')
      .filter({ hasText: 'Softer' });
    await here.getByRole('button').first().click();
    await expect.element(here.getByText('The melody:')).toBeVisible();
    await page.getByRole('button', { name: 'Start recording' }).click();
    await expectCount(here.getByText('The melody:'), 0);
  });

  test('is offered one more press where sound begins only with a press on its own player', async () => {
    answered();
    const { load } = HTMLMediaElement.prototype;
    const pressed = new WeakSet<HTMLMediaElement>();
    let isHopeless = false;
    const isPress = () => Boolean(window.event?.isTrusted) && /^(click|key)/.test(window.event!.type);
    HTMLMediaElement.prototype.load = function (this: HTMLMediaElement) {
      if (isPress() && !isHopeless) pressed.add(this);
      load.call(this);
    };
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      if (isPress()) pressed.add(this);
      if (pressed.has(this)) return listening.call(this);
      return Promise.reject(new DOMException('No press', 'NotAllowedError'));
    };
    try {
      // The line follows all the same where loading within a press is enough.
      await renderPage('/feedback');
      await mark.getByRole('button').first().click();
      await expect.element(theMelody).toBeVisible();

      isHopeless = true;
      await renderPage('/feedback');
      await mark.getByRole('button').first().click();
      await mark.getByRole('button', { name: 'Hear the melody' }).click();
      await expect.element(theMelody).toBeVisible();
      await expect.poll(() => sounding()[0]?.at).toBeGreaterThanOrEqual(6);
      await expect.element(mark.getByRole('button', { name: /^Stop/ })).toHaveFocus();
      await expectCount(mark.getByRole('button', { name: 'Hear the melody' }), 0);
    } finally {
      HTMLMediaElement.prototype.load = load;
      HTMLMediaElement.prototype.play = listening;
    }
  });

  const gone = () => refuse(api.melodies.one, 404, { message: 'No such melody' });
  for (const [what, loseIt] of [
    ['deleted, or no longer given to the student', gone],
    ['no longer timed', (melody: Melody) => library([{ ...melody, timings: null }])],
  ] as const)
    test(`of a melody that is ${what} hears and sees nothing, and the passage alone`, async () => {
      const { melody } = answered();
      await renderPage('/feedback');
      await expect.element(mark).toBeVisible();
      loseIt(melody);
      await clickAtOnce(mark.getByRole('button').first());
      await expect.element(yours).toBeVisible();
      await expectCount(yours, 0);
      await expect.poll(sounding).toEqual([]);
      await expectCount(mark.getByRole('link'), 0);
      await expectCount(page.getByRole('alert'), 0);
      expect(document.body.textContent).not.toContain(LINES[1]!);
      expect([...played].filter(({ src }) => src.includes(soundOf(20)))).toEqual([]);
    });
});
