import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';

const SILENT = /^Nothing can be heard in this recording\./;
const QUIET = /^This recording is very quiet and may be hard to hear\./;
const CLIPPED = /^This recording is too loud in places and crackles there\./;
const LOST = 'The microphone was disconnected. What was recorded until then is kept.';
const MISSED =
  'While this page was in the background nothing may have been recorded. Keep it in sight while you sing.';
const CALL = 'Nothing is being recorded: your device holds the sound, perhaps for a call.';
const FULL =
  'This device has no room left, so the recording is kept in this page only. Please send it before you close the page.';

/** A device whose microphone, sound, sight and storage fail as a telephone's do. */
type FailingDevice = {
  /** How loud the next recording is, of full scale. */
  volume: number;
  unplug(): void;
  /** The system holds all sound, or gives it back. */
  hold(isHeld: boolean): void;
  /** The page is out of sight, and some seconds go by of which nothing is heard. */
  sleep(seconds: number): void;
  isFull: boolean;
};

async function withFailingDevice(page: Page) {
  await page.addInitScript(() => {
    let track: MediaStreamTrack | undefined;
    let used: AudioContext | undefined;
    let skipped = 0;
    let sight: DocumentVisibilityState = 'visible';
    const Original = window.AudioContext;
    const now = Date.now;
    Date.now = () => now() + skipped;
    Object.defineProperty(document, 'visibilityState', { get: () => sight });
    const see = (next: DocumentVisibilityState) => {
      sight = next;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const device: FailingDevice = {
      volume: 0.5,
      isFull: false,
      unplug: () => track?.dispatchEvent(new Event('ended')),
      hold(isHeld) {
        if (isHeld) Object.defineProperty(used, 'state', { value: 'interrupted', configurable: true });
        else delete (used as { state?: string }).state;
        used?.dispatchEvent(new Event('statechange'));
      },
      sleep(seconds) {
        see('hidden');
        skipped += seconds * 1_000;
        see('visible');
      },
    };
    Object.assign(window, { device });
    navigator.mediaDevices.getUserMedia = () => {
      const context = new Original();
      const voice = new OscillatorNode(context, { frequency: 220 });
      const stream = context.createMediaStreamDestination();
      voice.connect(new GainNode(context, { gain: device.volume })).connect(stream);
      voice.start();
      [track] = stream.stream.getAudioTracks();
      return Promise.resolve(stream.stream);
    };
    window.AudioContext = class extends Original {
      constructor() {
        super();
        // oxlint-disable-next-line typescript/no-this-alias -- the recorder makes one for each recording
        used = this;
      }
    };
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given: [unknown]) {
      if (device.isFull) throw new DOMException('', 'QuotaExceededError');
      return put.apply(this, given);
    } as typeof put;
  });
  return (part: 'unplug' | ['hold', boolean] | ['sleep', number] | ['volume', number] | 'fill') =>
    page.evaluate((done) => {
      const { device } = window as unknown as { device: FailingDevice };
      if (done === 'unplug') device.unplug();
      else if (done === 'fill') device.isFull = true;
      else if (done[0] === 'hold') device.hold(done[1]);
      else if (done[0] === 'sleep') device.sleep(done[1]);
      else device.volume = done[1];
    }, part);
}

const start = async (page: Page) => {
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
};
const sing = async (page: Page) => {
  await start(page);
  await page.waitForTimeout(1_500);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
};
const found = (page: Page) => page.getByRole('region', { name: 'A recording was not submitted' });

test('what is wrong with a recording is said before it is sent, also when it is found again', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  const device = await withFailingDevice(page);
  await page.goto('/submit');

  await test.step('nothing is said of a good one', async () => {
    await sing(page);
    for (const sentence of [SILENT, QUIET, CLIPPED]) await expect(page.getByText(sentence)).toHaveCount(0);
  });
  for (const [volume, sentence] of [
    [4, CLIPPED],
    [0.01, QUIET],
    [0, SILENT],
  ] as const)
    await test.step(`at ${volume} of full scale`, async () => {
      await page.getByRole('button', { name: 'Record Again' }).click();
      await device(['volume', volume]);
      await sing(page);
      await expect(page.getByText(sentence)).toBeVisible();
      for (const other of [SILENT, QUIET, CLIPPED].filter((each) => each !== sentence))
        await expect(page.getByText(other)).toHaveCount(0);
    });
  await expectAccessible(page, 'a recording with something wrong');

  await test.step('found again, in the offer and in the form', async () => {
    await page.reload();
    await expect(found(page).getByText(SILENT)).toBeVisible();
    await expectAccessible(page, 'a recording that was found, with something wrong');
    await found(page).getByRole('button', { name: 'Use this recording' }).click();
    await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
    await expect(page.getByText(SILENT)).toHaveCount(1);
  });
});

test('a call, an absence, a lost microphone and a full device are said, and what there is is kept', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  const device = await withFailingDevice(page);
  await page.goto('/submit');
  await start(page);
  await device(['hold', true]);
  await expect(page.getByText(CALL).first()).toBeVisible();
  await device(['hold', false]);
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await device(['sleep', 5]);
  await expect(page.getByText(MISSED, { exact: true })).toBeVisible();
  await device('unplug');
  await expect(page.getByText(LOST)).toBeVisible();
  await expect(page.getByText(MISSED, { exact: true })).toBeVisible();

  await page.reload();
  await expect(found(page).getByText(LOST)).toBeVisible();
  await expect(found(page).getByText(MISSED)).toBeVisible();
  await found(page).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(found(page)).toHaveCount(0);

  await test.step('one that is cut off after an absence', async () => {
    await start(page);
    await page.waitForTimeout(1_000);
    await device(['sleep', 5]);
    await expect(page.getByText(MISSED, { exact: true })).toBeVisible();
    await page.waitForTimeout(1_000);
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await next.goto('/submit');
    await expect(found(next).getByText('It was cut off')).toBeVisible();
    await expect(found(next).getByText(MISSED)).toBeVisible();
    await expect(found(next).getByText(LOST)).toHaveCount(0);
    await next.close();
  });
});

test('a device without room says so while one has the recording still', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  const device = await withFailingDevice(page);
  await page.goto('/submit');
  await start(page);
  await device('fill');
  await expect(page.getByText(FULL)).toBeVisible();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.getByText(FULL)).toBeVisible();
  await page.getByLabel('Title').fill('From memory');
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
});
