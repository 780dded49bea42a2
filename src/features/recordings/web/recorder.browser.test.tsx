import { afterEach, describe, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { updateRecorderSettings } from './recorder/recorder-settings.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildStudent,
  mockLibrary,
  fetchToneFile,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import { VIEWPORT_SIZES } from '#testing/viewport-sizes.ts';
import {
  expectAccessible,
  expectAccessibleInBothThemes,
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { chooseFile, expectCount, expectText, page, pressKeyOn, toastItem } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  abandonedTakeOffer,
  expectOneSecondRecorded,
  expectRecordingInProgress,
  expectSubmitted,
  openSubmitPage,
  recordTake,
  recordAgainButton,
  recordOneSecond,
  pressRecord,
  pressStop,
  submitButton,
  titleField,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { RECORDING_SAMPLE_RATE } from '#web/audio/recording-format.ts';
import { encodeWav } from '#web/audio/wav.ts';

const countIn = async () => {
  await page.getByText('Recording settings').click();
  await page.getByRole('switch', { name: /Count in/ }).click();
};

const LONG_TEXT = Array.from(
  { length: 30 },
  (_, verse) => `[bo] ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nOm mani padme hum, verse ${verse + 1}\n[tr] A line of its meaning`,
).join('\n\n');

/** Serves a melody that the student has recorded once, with the teacher's feedback. */
function serveFeedback() {
  const melody = buildMelody('Om mani', {
    melodyText: LONG_TEXT,
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  mockLibrary([melody]);
  const sung = buildRecording('Om mani', {
    melodyId: melody.id,
    attempt: 1,
    status: 'reviewed',
    duration: 12,
  });
  const feedback = buildFeedback(sung, {
    writtenFeedback: 'Let the last syllable rest longer.',
    marks: [{ start: 4, end: null, text: 'softer here' }],
    audioFeedbackUrl: getToneFileName(3),
    audioFeedbackDuration: 3,
    status: 'read',
  });
  mockEndpoint(api.recordings.mine, [sung]);
  mockEndpoint(api.recordings.countMine, { count: 1 });
  mockEndpoint(api.feedback.latest, { feedback });
  mockEndpoint(api.feedback.mine, [feedback]);
  return { melody, path: `/submit?melody=${melody.id}&after-recording=${sung.id}` };
}

/**
 * Stops the count-in at its first number.
 * @returns a function that lets the count-in finish
 */
function holdCountIn() {
  const held: (() => void)[] = [];
  const { setTimeout: original } = window;
  const timers = vi.spyOn(window, 'setTimeout').mockImplementation(((act: () => void, after: number) => {
    if (after !== 1_000) return original(act, after);
    held.push(act);
    return 0;
  }) as typeof setTimeout);
  return () => {
    for (let next = held.shift(); next; next = held.shift()) next();
    timers.mockRestore();
  };
}

// Resets the settings, because they would otherwise apply to the next test too.
afterEach(() => updateRecorderSettings({ countsIn: false, processing: false }));

test('the idle recorder, the active recorder and a recovered recording are accessible', async () => {
  const user = buildStudent();
  await openSubmitPage(serveFeedback().path, user);
  await countIn();
  await expectAccessibleWithoutOverflow('idle, with its settings');
  const endCountIn = holdCountIn();
  await pressRecord();
  await expect.element(page.getByText('Get ready. Not recording yet.')).toBeVisible();
  await page.viewport(320, 640);
  await expectAccessible('counting in');
  endCountIn();
  await expectRecordingInProgress();
  await expectAccessibleInBothThemes('recording');
  await expectOneSecondRecorded();
  await page.viewport(1280, 900);
  await openSubmitPage(serveFeedback().path, user);
  await expect.element(abandonedTakeOffer).toBeVisible();
  await expectAccessibleWithoutOverflow('a recording that was found');
});

test('shows an error if microphone access is denied, and still allows uploads', async () => {
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockRejectedValue(new DOMException('', 'NotAllowedError'));
  await openSubmitPage();
  await pressRecord();
  await expectText(
    page.getByRole('alert'),
    /^Could not access microphone\. Please check your browser permissions\.$/,
  );
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Turn on “Microphone”' })).toBeVisible();
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  await expect.element(page.css('input[type=file]')).toBeEnabled();
});

test('an insecure page explains that it can’t record and still allows uploads', async () => {
  mockUploads();
  const user = buildStudent();
  const missing = undefined as never;
  vi.spyOn(window, 'isSecureContext', 'get').mockReturnValue(false);
  vi.spyOn(navigator, 'mediaDevices', 'get').mockReturnValue(missing);
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(missing);
  vi.spyOn(navigator, 'serviceWorker', 'get').mockReturnValue(missing);
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  await openSubmitPage('/submit', user);
  await expect.element(page.getByText(/^You can’t record here/)).toBeVisible();
  await expectCount(page.getByRole('button', { name: 'Start recording' }), 0);
  await titleField.fill('Over a plain address');
  await chooseAudioFile(await fetchToneFile('song.wav', 1));
  await submitButton.click();
  await expectSubmitted();
});

test('the form rejects a missing title, a missing recording and a file of 10 MB', async () => {
  await openSubmitPage();
  await submitButton.click();
  await expectText(toastItem, /^Missing Title/);
  await expect.element(page.getByText('Please provide a title for your recording.').first()).toBeVisible();
  await expect.element(titleField).toHaveFocus();
  await titleField.fill('Only a title');
  await submitButton.click();
  await expectText(toastItem, /^Missing Recording/);
  await expect.element(page.getByText('Please record or upload an audio file.').first()).toBeVisible();
  await chooseAudioFile(new File([new Uint8Array(10 * 1024 * 1024)], 'large.mp3', { type: 'audio/mpeg' }));
  await expectText(toastItem, /^File Too Large/);
  await expect.element(page.getByText('Please select a file smaller than 10MB.').first()).toBeVisible();
});

test('shows a single message for a file that this browser can’t play', async () => {
  await openSubmitPage();
  await chooseAudioFile(new File([`ID3\x04${'\x07'.repeat(9_000)}`], 'song.mp3', { type: 'audio/mpeg' }));
  await expectCount(page.getByText('This browser can’t play this file.'), 1);
  await expectCount(page.getByText(/Audio Not Available/), 0);
  await expectCount(page.getByRole('button', { name: 'Try again' }), 0);
  await expectCount(page.getByRole('button', { name: 'Play song.mp3' }), 0);
});

test('accepts a file longer than two minutes, with a note, and shows upload progress', async () => {
  mockUploads();
  await openSubmitPage();
  await titleField.fill('A whole sadhana');
  await chooseAudioFile(await fetchToneFile('long.wav', 125));
  await expect
    .element(page.getByText(/^Practice recordings are usually up to 2 minutes\. Yours is longer/))
    .toBeVisible();
  // The server responds to the first chunk at once, and to the others only after `release` is called.
  let received = 0;
  const append = ({ body }: { body: Record<string, unknown> }) => ({
    received: (received += (body['bytes'] as Blob).size),
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  mockEndpoint(api.uploads.append, async (asked) => (await held, append(asked)));
  mockEndpoint(api.uploads.append, append, { times: 1 });
  await submitButton.click();
  await expect.element(page.getByRole('button', { name: /^Sending… [1-9]\d?%$/ })).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Sent' });
  await expect.element(bar).not.toHaveAttribute('value', '0');
  release();
  await expectSubmitted();
});

test('a silent file shows a warning and its duration, rounded as on the server', async () => {
  await openSubmitPage();
  const silence = encodeWav([new Int16Array(1.6 * RECORDING_SAMPLE_RATE)]);
  await chooseAudioFile(new File([silence], 'silence.wav', { type: 'audio/wav' }));
  await expect.element(page.getByText(/^We can’t hear anything in this file\./)).toBeVisible();
  await expect.element(page.getByText('0:00 / 0:02')).toBeVisible();
  chooseFile(page.css('input[type=file]'), await fetchToneFile('song.wav', 1));
  await expect.element(page.getByText('song.wav', { exact: true })).toBeVisible();
  await expectCount(page.getByText(/^We can’t hear anything/), 0);
});

test('does not send a title or message that is too long, but keeps the text', async () => {
  mockUploads();
  await openSubmitPage();
  await chooseAudioFile(await fetchToneFile('song.wav', 1));
  const message = page.getByLabelText(/^Message/);
  await titleField.fill('t'.repeat(230));
  await message.fill('m'.repeat(5_000));
  await expect.element(page.getByText('30 characters too long. The limit is 200.')).toBeVisible();
  await expect.element(page.getByText('3,000 characters too long. The limit is 2,000.')).toBeVisible();
  await submitButton.click();
  await expect.element(titleField).toHaveFocus();
  await titleField.fill('A good title');
  await submitButton.click();
  await expect.element(message).toHaveFocus();
  await expect.element(message).toHaveAttribute('aria-invalid', 'true');
  await expect.element(message).toHaveValue('m'.repeat(5_000));
  expect(getCalls(api.recordings.submit)).toEqual([]);
  await message.fill('m'.repeat(1_950));
  await expect.element(page.getByText('1,950 of 2,000 characters')).toBeVisible();
});

test('a count-in can be cancelled', async () => {
  await openSubmitPage();
  await countIn();
  holdCountIn();
  await pressRecord();
  await expect.element(page.getByText('Get ready. Not recording yet.')).toBeVisible();
  await expectText(page.getByRole('status').filter({ hasText: /Recording starts in/ }), /in [321]/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText(/^Press to record, up to 2 minutes/)).toBeVisible();
});

test('requests voice processing only after the user has turned it on', async () => {
  const asked = vi
    .spyOn(navigator.mediaDevices, 'getUserMedia')
    .mockRejectedValue(new DOMException('', 'NotAllowedError'));
  const wishes = () =>
    asked.mock.calls.map(([{ audio } = {}]) => (audio as MediaTrackConstraints).echoCancellation);
  await openSubmitPage();
  await pressRecord();
  await expect.poll(wishes).toEqual([false]);
  await page.getByText('Recording settings').click();
  await page.getByRole('switch', { name: /Reduce background noise/ }).click();
  await pressRecord();
  await expect.poll(wishes).toEqual([false, true]);
});

test('recording a melody again shows the earlier feedback and the attempt number', async () => {
  const { melody, path } = serveFeedback();
  await openSubmitPage(path);
  await expect.element(page.getByText('Your second recording of this melody')).toBeVisible();
  const words = page.getByText('Let the last syllable rest longer.');
  await expect.element(words).toBeVisible();
  await expectText(page.getByRole('list', { name: 'Comments' }), 'softer here');
  await expect.element(page.getByRole('group', { name: 'Audio response' })).toBeVisible();
  await page.getByText('Khandro-la’s feedback').click();
  await expect.element(words).not.toBeVisible();

  // For another student's recording, no feedback and no attempt number are shown.
  mockEndpoint(api.recordings.countMine, { count: 0 });
  rejectCalls(api.feedback.latest, 404, { message: 'Not found' });
  await openSubmitPage(path);
  await expect.element(page.getByLabelText('Melody')).toHaveValue(String(melody.id));
  await expectCount(page.getByText('Khandro-la’s feedback'), 0);
  await expectCount(page.getByText(/recording of this melody/), 0);
});

test('rejects a file that is not audio before sending it, and accepts a dropped file', async () => {
  mockUploads();
  await openSubmitPage();
  const png = Uint8Array.from([...'\x89PNG\r\n\x1a\n....'].map((letter) => letter.charCodeAt(0)));
  await chooseAudioFile(new File([png], 'song.mp3', { type: 'audio/mpeg' }));
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'This file is a picture, not audio.' }))
    .toBeVisible();
  expect(getCalls(api.uploads.begin)).toEqual([]);

  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(await fetchToneFile('dropped.wav', 1));
  const drop = () => new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
  // A file dropped beside the field must not replace the page.
  const beside = drop();
  page.getByRole('heading', { name: 'Submit Recording', level: 1 }).element().dispatchEvent(beside);
  expect(beside.defaultPrevented).toBe(true);
  page.getByText('Choose a file').element().dispatchEvent(drop());
  await expect.element(page.getByText('dropped.wav', { exact: true })).toBeVisible();
  await titleField.fill('Dropped');
  await submitButton.click();
  await expectSubmitted();
});

test('submitting waits until the chosen file has been read', async () => {
  mockUploads();
  const { arrayBuffer } = Blob.prototype;
  let reading = Promise.resolve();
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(async function (this: Blob) {
    await reading;
    return arrayBuffer.call(this);
  });
  /** Chooses a file, and submits while the file is still being read. */
  const chooseAndSubmit = async (file: File) => {
    let release = () => {};
    reading = new Promise((resolve) => (release = resolve));
    await chooseAudioFile(file);
    await pressKeyOn(submitButton, 'Enter');
    release();
  };
  await openSubmitPage();
  await titleField.fill('In a hurry');
  const song = await fetchToneFile('song.wav', 2);
  await chooseAndSubmit(new File(['A letter, not a song.'], 'song.mp3', { type: 'audio/mpeg' }));
  await expect.element(page.getByText('Can’t use this file').first()).toBeVisible();
  await expect.element(submitButton).toBeEnabled();
  await expectCount(page.getByText('Please record or upload an audio file.'), 0);

  await chooseAndSubmit(song);
  await expectSubmitted();
  expect(getCalls(api.recordings.submit).map(({ body }) => body['title'])).toEqual(['In a hurry']);
});

test('after recording, Record Again and Submit are visible on every screen size', async () => {
  await page.viewport(390, 844);
  await openSubmitPage(`/submit?melody=${serveFeedback().melody.id}`);
  await recordTake();
  for (const textSize of ['normal', 'larger'])
    for (const [width, height] of VIEWPORT_SIZES) {
      document.documentElement.dataset['textSize'] = textSize;
      await page.viewport(width, height);
      for (const place of [0, document.body.scrollHeight]) {
        scrollTo(0, place);
        for (const button of [recordAgainButton, submitButton]) {
          await expect.element(button).toBeInViewport({ ratio: 1 });
          const box = button.element().getBoundingClientRect();
          const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          expect(button.element().contains(top), `${width} × ${height}, ${textSize}`).toBe(true);
        }
      }
      expectNoHorizontalScroll(`${width} × ${height}, ${textSize}`);
    }
});

describe('while recording on a phone', () => {
  const LINES = Array.from(
    { length: 16 },
    (_, line) => `bo: ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nOm mani padme hum ${line + 1}\nen: A line of its meaning`,
  );
  const words = page.getByRole('region', { name: /^Words of/ });
  const openMelody = async () => {
    await page.viewport(390, 844);
    const melody = buildMelody('Om mani', {
      melodyText: LINES.join('\n'),
      timings: [0, 0.3, 0.6].map((start, at) => ({ line: at * 3, start })),
      audioUrl: getToneFileName(20),
      duration: 20,
    });
    mockLibrary([melody]);
    await openSubmitPage(`/submit?melody=${melody.id}`);
  };

  test('on a phone, at least five lines are visible and centred during recording', async () => {
    await openMelody();
    await recordOneSecond();
    await expectText(words.css('[aria-current]'), 'Om mani padme hum 3');
    const view = words.element().getBoundingClientRect();
    const whole = [...words.element().querySelectorAll('li')].filter((line) => {
      const { top, bottom } = line.getBoundingClientRect();
      return top >= view.top && bottom <= Math.min(view.bottom, innerHeight);
    });
    expect(whole.length).toBeGreaterThanOrEqual(5);
    expect(getComputedStyle(whole[0]!).textAlign).toBe('center');
    await expectAccessible('recording in full screen');
    await pressStop();
    await expect.element(recordAgainButton).toBeVisible();
  });

  test('on a phone, the layer switches are below the words before and after recording', async () => {
    await openMelody();
    const switches = page.getByRole('group', { name: 'Show' });
    const gap = () =>
      switches.element().getBoundingClientRect().top - words.element().getBoundingClientRect().bottom;
    await expect.element(switches).toBeVisible();
    expect(gap()).toBeGreaterThanOrEqual(0);
    await recordTake();
    expect(gap()).toBeGreaterThanOrEqual(0);
  });

  test('on a phone, a large banner shows “Recording”, or “Paused” when paused', async () => {
    await openMelody();
    await recordOneSecond();
    const banner = (text: string) => page.css('.recording-screen > p').filter({ hasText: text });
    await expect.element(banner('Recording')).toBeInViewport({ ratio: 1 });
    const red = getComputedStyle(banner('Recording').element()).backgroundColor;
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.element(banner('Paused')).toBeInViewport({ ratio: 1 });
    expect(getComputedStyle(banner('Paused').element()).backgroundColor).not.toBe(red);
    await pressStop();
    await expectCount(page.css('.recording-screen'), 0);
  });
});

describe('on a phone with the largest text size', () => {
  const larger = () => (document.documentElement.dataset['textSize'] = 'larger');
  const seen = (locator: ReturnType<typeof page.getByText>, ratio = 1) =>
    expect.element(locator).toBeInViewport({ ratio });

  test('on a phone with the largest text, the words and recorder are visible together', async () => {
    await page.viewport(390, 844);
    await openSubmitPage(`/submit?melody=${serveFeedback().melody.id}`);
    larger();
    await recordOneSecond();
    const words = page.getByRole('region', { name: /^Words of/ });
    for (const verse of [1, 12, 30]) {
      const line = words.getByText(`Om mani padme hum, verse ${verse}`, { exact: true });
      if (verse > 1) line.element().scrollIntoView({ block: 'nearest' });
      await seen(line, 0.1);
      await seen(page.getByRole('button', { name: 'Stop recording' }));
      await seen(page.getByRole('button', { name: 'Pause' }));
    }
    await pressStop();
    await seen(recordAgainButton, 0.1);
  });

  const recorder = page.getByRole('group', { name: 'Your recording' });
  const areInSight = async (...words: (string | RegExp)[]) => {
    for (const place of [document.body.scrollHeight, 0]) {
      scrollTo(0, place);
      for (const each of words) await seen(recorder.getByText(each).first());
    }
  };
  const isInSight = (name: string) => seen(recorder.getByRole('button', { name }));

  for (const [width, height, hasWords] of [
    [320, 568, true],
    [320, 568, false],
    [844, 390, true],
  ] as const)
    test(`with the largest text, recorder controls are visible (${width} × ${height}, ${hasWords ? 'with' : 'without'} words)`, async () => {
      const { mute } = fakeMicrophone();
      await page.viewport(width, height);
      const { melody } = serveFeedback();
      updateRecorderSettings({ countsIn: true });
      await openSubmitPage(hasWords ? `/submit?melody=${melody.id}` : '/submit');
      larger();
      const endCountIn = holdCountIn();
      await pressRecord();
      await areInSight('Get ready. Not recording yet.', '0:00');
      await isInSight('Cancel');
      endCountIn();
      await expectRecordingInProgress();
      await expectOneSecondRecorded();
      await areInSight('Recording · ', /^\d:\d\d$/);
      await isInSight('Stop recording');
      await isInSight('Pause');
      await seen(recorder.css('canvas'));
      await recorder.getByRole('button', { name: 'Pause' }).click();
      await areInSight('Paused. Not recording.');
      await isInSight('Continue');
      await recorder.getByRole('button', { name: 'Continue' }).click();
      await expectRecordingInProgress();
      mute();
      await areInSight('Not recording: the microphone is muted.');
      await isInSight('Stop recording');
      await pressStop();
      // The notice about the interruption is above the player.
      await seen(page.getByText(/^Your device paused the microphone/), 0.5);
      await seen(page.getByRole('button', { name: 'Play Your recording' }), 0.1);
    });
});
