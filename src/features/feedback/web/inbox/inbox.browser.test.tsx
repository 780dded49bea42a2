import { mockUploads } from '#testing/browser/uploads.ts';
import { describe, expect, test } from 'vitest';
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
import {
  mockEndpoint,
  getCalledPaths,
  breakConnection,
  getCalls,
  holdResponses,
} from '#testing/browser/fake-api.ts';
import {
  sendFeedbackElsewhere,
  findInboxCard,
  focusFirstCard,
  findHeading,
  mockInbox,
  inboxList,
  typeKeys,
  findInboxRow,
  sentRepliesBar,
  changeDraftElsewhere,
} from '#testing/browser/inbox.ts';
import { expectAccessible, expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, expectTexts, page, pressKeyOn } from '#testing/browser/screen.ts';
import { startRecordingSpokenPart } from '#testing/browser/spoken-part.ts';
import { THREAD_PAGE_SIZE } from '#features/feedback/limits.ts';
import { PENDING_RECORDINGS_PAGE_SIZE } from '#features/recordings/limits.ts';

const user = buildTeacher();
const openInbox = () => renderPage('/admin', { user });
const cards = page.getByRole('article');
const sounds = (within: Locator) => within.css('audio').elements() as HTMLAudioElement[];

test('teacher can answer recordings by keyboard alone', async () => {
  const recordings = Array.from({ length: 3 }, (_, i) => buildRecording(`Song ${i + 1}`));
  mockInbox(...recordings);
  await openInbox();
  await expectCount(inboxList.getByRole('link'), 3);
  await focusFirstCard('Song 1');
  await typeKeys('j');
  await expect.element(findHeading('Song 2')).toHaveFocus();
  await typeKeys('k');
  await expectCount(page.getByText('Next: Tashi Dolma'), 1);
  for (let i = 1; i <= 3; i += 1) {
    await expect.element(findHeading(`Song ${i}`)).toHaveFocus();
    expect(sounds(findInboxCard(`Song ${i}`)).map(({ paused }) => paused)).toEqual([true]);
    // The last card does not show a next recording.
    if (i === 3) await expectCount(page.getByText(/^Next:/), 0);
    await typeKeys('w');
    // These letters are shortcuts outside of text fields.
    await typeKeys(`jkmr ${i}`);
    await typeKeys('{Control>}{Enter}{/Control}');
  }
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  // This fake server releases replies immediately.
  await expectCount(sentRepliesBar, 0);
  expect(
    getCalls(api.feedback.send).map(({ body }) => [Number(body['recordingId']), body['writtenFeedback']]),
  ).toEqual(recordings.map(({ id }, i) => [id, `jkmr ${i + 1}`]));
});

describe('inbox layout', () => {
  const audios = page.css('audio');

  test('the side list opens and plays recordings, with only one card open at a time', async () => {
    mockInbox(
      ...Array.from({ length: 12 }, (_, i) => buildRecording(`Song ${i + 1}`, { message: 'Is it well?' })),
    );
    await page.viewport(1440, 900);
    await openInbox();
    await expectCount(cards, 1);
    await expectCount(inboxList.getByRole('link'), 12);
    expect(document.documentElement.scrollHeight).toBe(900);
    await expectText(findInboxRow('Song 7'), /Song 7.*Is it well\?.*Written feedback.*New$/);
    await expectCount(audios, 1);
    await expectCount(page.css('textarea'), 1);
    await expect.element(findInboxCard('Song 1').getByLabelText('Written feedback')).toBeVisible();

    const seventh = findInboxCard('Song 7');
    await findInboxRow('Song 7').getByRole('button', { name: 'Written feedback' }).click();
    await expect.element(seventh.getByLabelText('Written feedback')).toHaveFocus();
    await expectCount(audios, 1);
    await expectCount(page.css('textarea'), 1);
    await findInboxRow('Song 9')
      .getByRole('button', { name: /^Play Song 9/ })
      .click();
    await expect.poll(() => sounds(findInboxCard('Song 9')).map(({ played }) => played.length)).toEqual([1]);
  });

  const message = 'A line of a message.\n'.repeat(30);
  const isInSight = (locator: Locator) => {
    const { left, right, top, bottom } = locator.element().getBoundingClientRect();
    const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && locator.element().contains(shown);
  };

  test('wide screens show a card’s controls and a new comment’s field without scrolling', async () => {
    mockInbox(
      buildRecording('Long', { message, audioUrl: getToneFileName(20), duration: 20 }),
      buildRecording('Next one'),
    );
    const card = findInboxCard('Long');
    const play = card.getByRole('button', { name: /^Play Long/ });
    const add = card.getByRole('button', { name: /^Add comment/ });
    const speak = card.getByRole('button', { name: /^Hold to speak/ });
    const text = card.getByLabelText('Written feedback');
    const send = card.getByRole('button', { name: 'Send Feedback' });
    const boxOf = (locator: Locator) => locator.element().getBoundingClientRect();
    const middleOf = (locator: Locator) => Math.round((boxOf(locator).top + boxOf(locator).bottom) / 2);
    for (const [width, height] of [
      [1280, 720],
      [1440, 900],
    ] as const) {
      await page.viewport(width, height);
      await openInbox();
      await expect.element(play).toBeVisible();
      // The account menu is beside the heading and must not cover the heading's buttons.
      const more = page.getByRole('button', { name: 'More', exact: true });
      for (const control of [more, play, add, text, send]) expect(isInSight(control)).toBe(true);
      expect([add, speak].map(middleOf)).toEqual([middleOf(play), middleOf(play)]);
      await focusFirstCard('Long');
      for (const words of ['First', 'Second', 'Third']) {
        await typeKeys('m');
        const field = page.css(':focus');
        await expect.element(field).toHaveAccessibleName(/^Comment at/);
        await expect.poll(() => boxOf(field).bottom).toBeLessThanOrEqual(boxOf(text).top);
        expect(boxOf(field).top).toBeGreaterThanOrEqual(boxOf(play).bottom);
        await typeKeys(`${words}{Enter}`);
        await expect.element(add).toHaveFocus();
        await typeKeys('f');
      }
      for (const control of [play, add, text, send]) expect(isInSight(control)).toBe(true);
    }
  });

  test('on a tablet in landscape, a new comment’s field, Play and Send are visible', async () => {
    mockInbox(
      buildRecording('Long', { message, audioUrl: getToneFileName(20), duration: 20 }),
      buildRecording('Next one'),
    );
    await page.viewport(1024, 750);
    await openInbox();
    const card = findInboxCard('Long');
    await expect.element(card.getByRole('button', { name: /^Play Long/ })).toBeVisible();
    await focusFirstCard('Long');
    for (const words of ['First', 'Second', 'Third']) {
      await typeKeys('m');
      const field = page.css(':focus');
      await expect.element(field).toHaveAccessibleName(/^Comment at/);
      await expect.poll(() => isInSight(field)).toBe(true);
      for (const name of [/^Play Long/, 'Send Feedback'])
        expect(isInSight(card.getByRole('button', { name }))).toBe(true);
      await typeKeys(`${words}{Enter}f`);
    }
  });

  test('on a tablet in landscape, K on the first card scrolls back to its title', async () => {
    mockInbox(buildRecording('Long', { message, audioUrl: getToneFileName(20), duration: 20 }));
    await page.viewport(1024, 600);
    await openInbox();
    await focusFirstCard('Long');
    await typeKeys('m');
    await expect.poll(() => isInSight(findHeading('Long'))).toBe(false);
    await typeKeys('{Enter}k');
    await expect.poll(() => isInSight(findHeading('Long'))).toBe(true);
  });

  test('on a phone, the “More” menu of the inbox fits within the window', async () => {
    mockInbox(buildRecording('Long'));
    await page.viewport(375, 664);
    await openInbox();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const { left, right } = page.getByRole('menu').element().getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(375);
  });

  test('on a phone, the waveform fills the card’s width and Send is always visible', async () => {
    mockInbox(buildRecording('Long', { message }), buildRecording('Next one'));
    await page.viewport(390, 664);
    await openInbox();
    const card = findInboxCard('Long');
    const box = () => card.element().getBoundingClientRect();
    const waveform = card.css('canvas');
    await expect.element(waveform).toBeVisible();
    expect(waveform.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(72);
    expect(waveform.element().getBoundingClientRect().width).toBeGreaterThan(box().width - 60);
    const send = card.getByRole('button', { name: 'Send Feedback' });
    const isInSight = () => {
      const { top, bottom } = send.element().getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    };
    // The message is collapsed to four lines, so that the controls stay visible.
    const more = card.getByRole('button', { name: 'Show more' });
    await expect.element(more).toHaveAttribute('aria-expanded', 'false');
    expect(isInSight()).toBe(true);
    await more.click();
    await expect.element(card.getByRole('button', { name: 'Show less' })).toBeVisible();
    expect(box().height).toBeGreaterThan(innerHeight);
    expect(isInSight()).toBe(true);
  });

  test('on a phone, a button opens the list of waiting recordings', async () => {
    mockInbox(buildRecording('First one'), buildRecording('Second one'), buildRecording('Third one'));
    await page.viewport(390, 844);
    await openInbox();
    await page.getByRole('button', { name: 'Waiting recordings' }).click();
    const list = page.getByRole('dialog', { name: 'Waiting recordings' });
    await expectAccessible('the list on a phone');
    await list.getByRole('link', { name: /Third one/ }).click();
    await expect.element(findHeading('Third one')).toHaveFocus();
    await expect.element(findInboxCard('Third one').getByLabelText('Written feedback')).toBeVisible();
    await expectCount(list, 0);
  });

  test('opening another card keeps the text, marks and audio of the previous card', async () => {
    mockInbox(buildRecording('First one'), buildRecording('Second one'));
    mockUploads();
    await openInbox();
    const first = findInboxCard('First one');
    await first.getByRole('button', { name: /^Add comment/ }).click();
    await typeKeys('Softer');
    await first.getByLabelText('Written feedback').fill('Half a thought');
    await startRecordingSpokenPart(first);
    await typeKeys('{Alt>}j{/Alt}');
    await expect.element(findHeading('Second one')).toHaveFocus();
    await findInboxRow('First one')
      .getByRole('button', { name: 'Written feedback Half a thought · Audio response' })
      .click();
    await expect.element(first.getByLabelText('Written feedback')).toHaveValue('Half a thought');
    await expect.element(first.getByLabelText(/^Comment at/)).toHaveValue('Softer');
    // Closing the card stopped the teacher's recording.
    await expect.element(first.getByRole('group', { name: 'Your recording' })).toBeVisible();
  });
});

describe('more than one page of recordings', () => {
  const COUNT = PENDING_RECORDINGS_PAGE_SIZE + 4;
  const many = () => Array.from({ length: COUNT }, (_, i) => buildRecording(`Song ${i + 1}`));
  const shown = page.css('[data-recording]');
  const waits = (count: number) => page.getByText(`${count} waiting, oldest first`);

  test('keyboard navigation reaches recordings beyond the first page', async () => {
    mockInbox(...many());
    await openInbox();
    await expect.element(waits(COUNT)).toBeVisible();
    await expectCount(shown, PENDING_RECORDINGS_PAGE_SIZE);
    await focusFirstCard('Song 1');
    await typeKeys('w');
    await typeKeys('Heard.');
    await typeKeys('{Control>}{Enter}{/Control}');
    await expect.element(findHeading('Song 2')).toHaveFocus();
    await expect.element(waits(COUNT - 1)).toBeVisible();
    // The first recording of the second page has moved up to the first page.
    const last = findInboxRow(`Song ${PENDING_RECORDINGS_PAGE_SIZE + 1}`).getByRole('link');
    await expect.element(last).toBeInTheDocument();
    // At the end of the list, J loads the next page and moves focus to “Load more” until the page has loaded.
    const release = holdResponses(api.recordings.pendingForInbox);
    (last.element() as HTMLElement).focus();
    await typeKeys('j');
    await expect.element(page.css('#more-in-list')).toHaveFocus();
    release();
    for (let i = PENDING_RECORDINGS_PAGE_SIZE + 2; i <= COUNT; i += 1) {
      await expect.poll(() => document.activeElement?.textContent).toContain(`Song ${i}`);
      await typeKeys('j');
    }
    await expectCount(shown, COUNT - 1);
    await expectCount(page.getByRole('button', { name: /^Load more/ }), 0);
    await expectCount(page.getByText('no longer here'), 0);
  });

  test('the side list can load the remaining recordings, even after a failure', async () => {
    mockInbox(...many());
    await page.viewport(1440, 900);
    await openInbox();
    const list = inboxList;
    await expectCount(list.getByRole('link'), PENDING_RECORDINGS_PAGE_SIZE);
    breakConnection(api.recordings.pendingForInbox, { times: 1 });
    const more = list.getByRole('button', { name: 'Load more (4 left)' });
    await pressKeyOn(more, 'Enter');
    await expect.element(list.getByText('More recordings could not be loaded.')).toBeVisible();
    await pressKeyOn(list.getByRole('button', { name: 'Try again' }), 'Enter');
    await expectCount(list.getByRole('link'), COUNT);
  });

  test('a draft is not reported as orphaned before its recording has been loaded', async () => {
    const recordings = many();
    const [far, answered] = [recordings[PENDING_RECORDINGS_PAGE_SIZE + 3]!, recordings[1]!];
    mockInbox(...recordings);
    changeDraftElsewhere(far, 'Begun before');
    changeDraftElsewhere(answered, 'Too late');
    sendFeedbackElsewhere(answered, 'By another');
    await openInbox();
    await expectText(findInboxCard('Song 2'), 'This recording already has feedback.');
    await expectCount(page.getByText('This recording is no longer here.'), 0);
    expect(getCalledPaths()).not.toContain(`/api/admin/recordings/${far.id}/feedback`);
    await pressKeyOn(page.css('#more-in-list'), 'Enter');
    await findInboxRow(far.title).getByRole('button', { name: 'Written feedback Begun before' }).click();
    await expect
      .element(findInboxCard(far.title).getByLabelText('Written feedback'))
      .toHaveValue('Begun before');
  });
});

test('a card shows the student, time, length and message, and rejects an empty reply', async () => {
  const karma = { firstName: 'Karma', lastName: 'Dorje', username: 'karma' };
  const pema = { firstName: 'Pema', lastName: 'Lhamo', username: 'pema' };
  mockInbox(
    buildRecording('The first song', { student: pema }),
    buildRecording('The other song', {
      student: karma,
      duration: 65,
      audioUrl: getToneFileName(65),
      message: 'Is it too slow?',
      createdAt: new Date(),
    }),
  );
  await page.viewport(1440, 900);
  await openInbox();
  await findInboxRow('The other song')
    .getByRole('button', { name: 'Play The other song, Karma Dorje' })
    .click();
  const card = findInboxCard('The other song');
  await expect.element(card.getByText('New', { exact: true })).toBeVisible();
  await expect.element(card.getByText('Karma Dorje', { exact: true })).toBeVisible();
  await expect.element(card.getByText('Is it too slow?')).toBeVisible();
  await expect.element(card.getByText(/just now|seconds ago/).first()).toBeVisible();
  await expect.element(card.getByText('· 1:05', { exact: true })).toBeVisible();
  await expect.element(card.getByText('1 minute 5 seconds', { exact: true })).toBeInTheDocument();

  const list = inboxList;
  await expectTexts(list.getByRole('link'), [
    /Pema Lhamo.*The first song0:03$/,
    /Karma Dorje.*The other song1:05Is it too slow\?$/,
  ]);
  const other = list.getByRole('link', { name: /The other song/ });
  await other.click();
  await expect.element(card.getByRole('heading', { name: 'The other song' })).toHaveFocus();
  await expect.element(other).toHaveAttribute('aria-current', 'true');

  const sentence = 'Please provide either written feedback or audio feedback.';
  const send = card.getByRole('button', { name: 'Send Feedback' });
  const text = card.getByLabelText('Written feedback');
  await send.click();
  await expect.element(page.getByRole('region').getByText('Missing Feedback', { exact: true })).toBeVisible();
  await expect.element(text).toHaveFocus();
  await expect.element(text).toHaveAccessibleDescription(expect.stringContaining(sentence));
  await text.fill('Slower still.');
  await expectCount(card.getByText(sentence), 0);
});

test('does not send a reply while its audio is being recorded or replaced', async () => {
  mockInbox(buildRecording('The other song'));
  mockUploads();
  await openInbox();
  const card = findInboxCard('The other song');
  const send = card.getByRole('button', { name: 'Send Feedback' });
  await card.getByLabelText('Written feedback').fill('Slower still.');
  await startRecordingSpokenPart(card);
  const stopFirst = card.getByText('Stop the recording first, then send your feedback.');
  await send.click();
  await expect.element(stopFirst).toBeVisible();
  await card.getByRole('button', { name: 'Stop recording' }).click();
  await card.getByRole('button', { name: 'Record Again' }).click();
  await send.click();
  await expect.element(card.getByText(/^You started to replace your recording\./)).toBeVisible();
  await expectCount(stopFirst, 0);
  expect(getCalls(api.feedback.send)).toEqual([]);
  await card.getByRole('button', { name: 'Keep my recording' }).click();
  await send.click();
  await expectCount(card, 0);
});

test('Esc moves focus from the text to its card, where single-key shortcuts work', async () => {
  mockInbox(buildRecording('First one'), buildRecording('Second one'));
  await openInbox();
  const card = findInboxCard('First one');
  const text = card.getByLabelText('Written feedback');
  await text.fill('Half a thou');
  await pressKeyOn(text, 'Escape');
  await expect.element(card).toHaveFocus();
  await expect.element(text).toHaveValue('Half a thou');
  await typeKeys('w');
  await typeKeys('ght');
  await expect.element(text).toHaveValue('Half a thought');

  await typeKeys('{Escape}');
  // In a dialog, Esc only closes the dialog.
  await typeKeys('?');
  await expectText(page.getByRole('dialog'), 'Leave the text box');
  await typeKeys('{Escape}');
  await expectCount(page.getByRole('dialog'), 0);
  await expect.element(card).toHaveFocus();
  await typeKeys('j');
  await expect.element(findHeading('Second one')).toHaveFocus();
});

test('“?” opens the list of shortcuts, where single-key shortcuts can be turned off', async () => {
  mockInbox(buildRecording('Only one'));
  await openInbox();
  await expect.element(findHeading('Only one')).toBeVisible();
  await typeKeys('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expectText(dialog, 'Add a comment here');
  await expectAccessible('the list of keys');
  await dialog.getByLabelText('Use single-letter shortcuts').click();
  await typeKeys('{Escape}');
  await openInbox();
  await expect.element(findHeading('Only one')).toBeVisible();
  await typeKeys('j');
  await expect.element(findHeading('Only one')).not.toHaveFocus();
  await typeKeys('{Alt>}j{/Alt}');
  await expect.element(findHeading('Only one')).toHaveFocus();
});

test('the playback speed chosen for one recording applies to all recordings', async () => {
  mockInbox(buildRecording('Slow one'), buildRecording('Slow two'));
  await openInbox();
  const rates = () =>
    sounds(page.css('body')).flatMap(({ playbackRate, preservesPitch }) => [playbackRate, preservesPitch]);
  await page.getByLabelText('Speed of Slow one').selectOptions('0.75');
  await expect.poll(rates).toEqual([0.75, true]);
  await openInbox();
  await focusFirstCard('Slow one');
  await typeKeys('j');
  await expect.element(page.getByLabelText('Speed of Slow two')).toHaveValue('0.75');
  await expect.poll(rates).toEqual([0.75, true]);
  // The setting is stored for the next visit.
  expect(Object.values({ ...localStorage })).toContain('0.75');
});

describe('listening controls', () => {
  const melody = buildMelody('Refuge Prayer', {
    melodyText: 'Namo Guru\nNamo Buddha\nNamo Dharma',
    timings: [2, 6, 12].map((start, line) => ({ line, start })),
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  const sung = () =>
    buildRecording('Sung after it', {
      melodyId: melody.id,
      attempt: 1,
      audioUrl: getToneFileName(19),
      duration: 19,
    });
  const recording = () => sounds(cards.getByRole('group', { name: /^Sung after it/ }))[0]!;
  const at = () => Math.round(recording().currentTime * 10) / 10;

  test('keys skip by seconds or lines, change the speed and play the melody’s line', async () => {
    mockLibrary([melody]);
    mockInbox(sung());
    await openInbox();
    await focusFirstCard('Sung after it');
    for (const [key, second] of [
      ['f', 3],
      ['n', 6],
      ['b', 3],
      ['n', 6],
      ['u', 2],
    ] as const) {
      await typeKeys(key);
      await expect.poll(at, { message: `${key}: ${second}` }).toBe(second);
    }
    const text = cards.getByLabelText('Written feedback');
    await text.click();
    await typeKeys('{Alt>}n{/Alt}');
    await expect.poll(at).toBe(6);
    await expect.element(text).toHaveValue('');
    await page.getByLabelText('Speed of Sung after it').selectOptions('1');
    await typeKeys('{Alt>}s{/Alt}');
    await expect.element(page.getByLabelText('Speed of Sung after it')).toHaveValue('0.75');
    await text.click();
    await typeKeys('{Escape}');
    await typeKeys('qq');
    await expect.element(page.getByLabelText('Speed of Sung after it')).toHaveValue('1.25');
    await typeKeys('s');

    const heard: string[] = [];
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      heard.push(`${new URL(this.src).pathname.split('/').at(-1)} ${Math.round(this.currentTime)}`);
      return play.call(this);
    };
    const melodyButton = cards.getByRole('button', { name: 'Melody', exact: true });
    await typeKeys('l');
    await expect.poll(() => heard).toEqual([`${getToneFileName(20).split('/').at(-1)} 6`]);
    await expect.element(melodyButton).toHaveAttribute('aria-pressed', 'true');
    await typeKeys('l');
    await expect.element(melodyButton).toHaveAttribute('aria-pressed', 'false');
    HTMLMediaElement.prototype.play = play;
  });

  test('pressing the waveform seeks, and dragging over the waveform marks a passage', async () => {
    mockInbox(sung());
    mockLibrary([melody]);
    await openInbox();
    const slider = cards.getByRole('slider');
    await expect.element(slider).toBeVisible();
    const { left, top, width } = slider.element().getBoundingClientRect();
    const pointer = (type: string, share: number) =>
      slider.element().dispatchEvent(
        new PointerEvent(type, {
          bubbles: true,
          pointerId: 1,
          clientX: left + share * width,
          clientY: top + 5,
          isPrimary: true,
        }),
      );
    // setPointerCapture throws for synthetic events, because their pointer does not exist.
    slider.element().setPointerCapture = () => undefined;
    pointer('pointerdown', 10 / 19);
    pointer('pointerup', 10 / 19);
    await expect.poll(at).toBe(10);
    await expectCount(cards.getByRole('listitem'), 0);
    pointer('pointerdown', 4 / 19);
    pointer('pointermove', 6 / 19);
    pointer('pointermove', 2 / 19);
    pointer('pointermove', 8 / 19);
    pointer('pointerup', 8 / 19);
    const words = cards.getByLabelText('Comment at 0:04–0:08');
    await expect.element(words).toHaveFocus();
  });
});

test('with “Play next after sending”, a reply needs only two shortcuts and its text', async () => {
  mockInbox(...Array.from({ length: 3 }, (_, i) => buildRecording(`Song ${i + 1}`)));
  await openInbox();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('switch', { name: 'Play next after sending' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expectCount(page.getByRole('dialog'), 0);
  await focusFirstCard('Song 1');
  await typeKeys('w');
  for (let i = 1; i <= 3; i += 1) {
    const card = findInboxCard(`Song ${i}`);
    await expect.element(card.getByLabelText('Written feedback')).toHaveFocus();
    await expect.poll(() => sounds(card).map(({ played }) => played.length)).toEqual([i === 1 ? 0 : 1]);
    await typeKeys('{Alt>}m{/Alt}');
    await typeKeys(`Softer ${i}`);
    await typeKeys('{Control>}{Enter}{/Control}');
  }
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  expect(getCalls(api.feedback.send).map(({ body }) => JSON.parse(body['marks'] as string))).toEqual(
    [1, 2, 3].map((i) => [expect.objectContaining({ text: `Softer ${i}` })]),
  );
});

test('an empty mark alone is not sent as a reply, but stays in the draft', async () => {
  mockInbox(buildRecording('Only a moment'));
  await openInbox();
  const card = findInboxCard('Only a moment');
  await card.getByRole('button', { name: /^Add comment/ }).click();
  await expect.element(card.getByText('These comments are empty')).toBeVisible();
  await typeKeys('{Control>}{Enter}{/Control}');
  await expect
    .element(card.getByText('Please provide either written feedback or audio feedback.'))
    .toBeVisible();
  await expect.element(card.getByText('Draft saved')).toBeVisible();
  expect(getCalls(api.feedback.send)).toEqual([]);

  await openInbox();
  await expect.element(card.getByLabelText('Comment at 0:00')).toHaveValue('');
});

test('a card loads the melody’s player and words only after “Melody” is pressed', async () => {
  const TIBETAN = 'སྐྱབས་འགྲོ་སེམས་བསྐྱེད།';
  const melody = buildMelody(TIBETAN, {
    melodyText: 'Namo Guru\nNamo Buddha',
    timings: [
      { line: 0, start: 0 },
      { line: 1, start: 5 },
    ],
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  mockLibrary([melody]);
  const sung = { melodyId: melody.id, attempt: 1, audioUrl: getToneFileName(19), duration: 19 };
  mockInbox(buildRecording('Sung after it', sung));
  await openInbox();
  const button = cards.getByRole('button', { name: `Melody: ${TIBETAN}` });
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  const files = () =>
    performance.getEntriesByType('resource').filter(({ name }) => name.includes(getToneFileName(20)));
  expect(getCalledPaths()).not.toContain(`/api/melodies/${melody.id}`);
  expect(files()).toEqual([]);

  await cards.getByRole('button', { name: 'Play Sung after it, Tashi Dolma' }).click();
  await pressKeyOn(button, 'Enter');
  const player = cards.getByRole('group', { name: `Melody: ${TIBETAN}` });
  await expectText(player, '/ 0:20');
  const isPlaying = (within: Locator) => sounds(within).some(({ paused }) => !paused);
  const recording = cards.getByRole('group', { name: /^Sung after it/ });
  await expect.poll(() => isPlaying(recording)).toBe(true);
  await pressKeyOn(player.getByRole('button', { name: /^Play/ }), 'Enter');
  await expect.poll(() => [isPlaying(player), isPlaying(recording)]).toEqual([true, false]);
  await pressKeyOn(cards.getByRole('button', { name: 'Words', exact: true }), 'Enter');
  await expectText(cards.getByRole('region', { name: `Words of ${TIBETAN}` }), /namo buddha/i);
  await expectAccessible('a card with its melody');
  // The card's shortcuts control the recording, not the melody.
  await typeKeys('{Alt>}p{/Alt}');
  await expect.poll(() => [isPlaying(player), isPlaying(recording)]).toEqual([false, true]);
});

test('teacher and student see earlier attempts, which the student can play in order', async () => {
  const melody = buildMelody('Refuge Prayer');
  mockLibrary([melody]);
  const sung = { melodyId: melody.id, audioUrl: getToneFileName(1), duration: 1 };
  const first = buildRecording('Refuge', { ...sung, attempt: 1 });
  const second = buildRecording('Refuge', { ...sung, attempt: 2 });
  const toFirst = buildFeedback(first, {
    writtenFeedback: 'Begin lower.',
    audioFeedbackUrl: getToneFileName(2),
    audioFeedbackDuration: 2,
  });
  mockEndpoint(api.feedback.thread, [
    { recording: { ...first, status: 'reviewed' }, feedback: toFirst },
    { recording: second, feedback: null },
  ]);
  mockInbox(second);
  await openInbox();
  await expectText(cards, 'Second recording');
  await cards.getByRole('button', { name: 'Previous recording' }).click();
  await expect.element(cards.getByText('Begin lower.')).toBeVisible();

  const toSecond = buildFeedback(second, { writtenFeedback: 'Now it is right.', status: 'read' });
  mockEndpoint(api.feedback.mine, [toSecond]);
  mockEndpoint(api.feedback.thread, [
    { recording: { ...first, status: 'reviewed' }, feedback: toFirst },
    { recording: { ...second, status: 'reviewed' }, feedback: toSecond },
  ]);
  await renderPage('/feedback');
  await cards.getByRole('button', { name: 'Compare', exact: true }).click();
  await cards.getByRole('button', { name: 'Your recordings of this melody' }).click();
  await expect.element(cards.getByRole('heading', { name: 'Second recording' })).toBeVisible();
  // The students' pages always use this name for the spoken part.
  await expect.element(cards.getByRole('heading', { name: 'Audio response' })).toBeVisible();
  await expectCount(page.getByText('Audio feedback'), 0);
  const heard: string[] = [];
  const note = ({ target }: Event) => {
    const current = (target as Element).closest('li[aria-current]');
    heard.push(current?.querySelector('h3, h4')?.textContent ?? 'none');
  };
  document.addEventListener('play', note, true);
  const playAll = cards.getByRole('button', { name: 'Play all recordings' });
  await playAll.click();
  await expect.poll(() => heard).toEqual(['First recording', 'Second recording']);
  await expect.element(playAll).toBeVisible();
  document.removeEventListener('play', note, true);
});

test('“Load more” adds earlier attempts below for teachers and above for students', async () => {
  const melody = buildMelody('Refuge Prayer');
  mockLibrary([melody]);
  const COUNT = THREAD_PAGE_SIZE + 2;
  const thread = Array.from({ length: COUNT }, (_, n) => ({
    recording: buildRecording('Refuge', { melodyId: melody.id, attempt: n + 1, status: 'reviewed' }),
    feedback: null,
  }));
  // As the server returns them: the newest page first, each page oldest first.
  mockEndpoint(api.feedback.thread, [...thread.slice(2), ...thread.slice(0, 2)]);
  const next = buildRecording('Refuge again', { melodyId: melody.id, attempt: COUNT + 1 });
  mockInbox(next);
  await openInbox();
  await cards.getByRole('button', { name: `${COUNT} previous recordings` }).click();
  const attempts = cards.css('ol > li h3');
  await expectCount(attempts, THREAD_PAGE_SIZE);
  await expectText(attempts.first(), '52nd recording');
  await pressKeyOn(cards.getByRole('button', { name: 'Load more (2 left)' }), 'Enter');
  await expectCount(attempts, COUNT);
  await expectText(attempts.last(), 'First recording');
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^Second recording/);

  mockEndpoint(api.feedback.mine, [
    buildFeedback(thread.at(-1)!.recording, { writtenFeedback: 'Good.', status: 'read' }),
  ]);
  await renderPage('/feedback');
  await cards.getByRole('button', { name: 'Compare', exact: true }).click();
  await cards.getByRole('button', { name: 'Your recordings of this melody' }).click();
  await expectText(attempts.first(), 'Third recording');
  await pressKeyOn(cards.getByRole('button', { name: 'Load more (2 left)' }), 'Enter');
  await expectText(attempts.first(), 'First recording');
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^First recording/);
});

describe('with long and Tibetan words', () => {
  const TIBETAN = 'སྐྱབས་འགྲོ་སེམས་བསྐྱེད།';
  const LONG_NAME = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sang';
  const words = `${LONG_NAME} ${TIBETAN} `.repeat(6);
  const student = { firstName: LONG_NAME, lastName: 'Dolma', username: 'dolma' };

  function fill() {
    const melody = buildMelody(TIBETAN, {
      melodyText: [TIBETAN, LONG_NAME, `${LONG_NAME} ${TIBETAN} `.repeat(4)].join('\n'),
      timings: [0, 1, 1.5].map((start, line) => ({ line, start })),
      audioUrl: getToneFileName(20),
      duration: 20,
    });
    mockLibrary([melody]);
    const sung = { melodyId: melody.id, message: words, student };
    const given = [1, 2].map((attempt) =>
      buildFeedback(buildRecording(TIBETAN, { ...sung, attempt, status: 'reviewed' }), {
        writtenFeedback: words,
        status: 'read',
        marks: [
          { start: 0, end: null, text: words.slice(0, 400), melodyAt: 0 },
          { start: 0.2, end: 1.5, text: TIBETAN, melodyAt: 1.5 },
        ],
        audioFeedbackUrl: getToneFileName(2),
        audioFeedbackDuration: 2,
      }),
    );
    const pending = buildRecording(LONG_NAME.repeat(3), { ...sung, attempt: 3 });
    mockInbox(pending);
    changeDraftElsewhere(pending, '', [
      { start: 0, end: 1, text: words.slice(0, 300) },
      { start: 1, end: null, text: TIBETAN },
    ]);
    const recordings = [
      ...given.map(({ recording }) => ({ ...recording, status: 'reviewed' as const, message: words })),
      pending,
    ];
    mockEndpoint(api.feedback.mine, given.toReversed());
    mockEndpoint(
      api.feedback.thread,
      recordings.map((recording) => ({
        recording,
        feedback: given.find((each) => each.recordingId === recording.id) ?? null,
      })),
    );
  }

  test('the inbox with long and Tibetan words is accessible and fits the screen', async () => {
    fill();
    await openInbox();
    await page.getByRole('button', { name: '2 previous recordings' }).click();
    await expect.element(page.getByRole('heading', { name: 'First recording' })).toBeVisible();
    await page.getByRole('button', { name: 'Change the times of comment 1' }).click();
    await expectAccessibleWithoutOverflow('inbox');
  });

  test('the feedback page with long and Tibetan words is accessible and fits the screen', async () => {
    fill();
    await renderPage('/feedback');
    await page.getByRole('button', { name: 'Compare', exact: true }).first().click();
    await page.getByRole('button', { name: 'Your recordings of this melody' }).first().click();
    await expect.element(page.getByRole('button', { name: 'Play all recordings' })).toBeVisible();
    await page
      .getByRole('button', { name: /Play 0:00–0:01/ })
      .first()
      .click();
    await expect.element(page.getByRole('link', { name: 'Practise this line' })).toBeVisible();
    await expect.element(page.css('li').getByText('Melody:').first()).toBeVisible();
    await expectAccessibleWithoutOverflow('feedback');
  });
});
