import { expect, test } from 'vitest';
import { takeStore } from '../../../../platform/web/takes/use-takes.ts';
import { aStudent, aTeacher, type Melody } from '../../../../testing/browser/community.ts';
import { fakeMicrophone } from '../../../../testing/browser/fake-microphone.ts';
import { expectFineEverywhere } from '../../../../testing/browser/look.ts';
import {
  aSong,
  heard,
  openAgain,
  openPlayer,
  player,
  pressIn,
  pressLine,
  sounding,
} from '../../../../testing/browser/player.ts';
import { expectAddress, expectCount, expectText, page } from '../../../../testing/browser/screen.ts';
import { MOST_TAKES, passageOf, practiceOf, sungAs } from './practice-take.ts';

const singer = aStudent();
const aSongOfTwoLines = () =>
  aSong({
    melodyText: 'One namo\nTwo namo',
    timings: [
      { line: 0, start: 1 },
      { line: 1, start: 3 },
    ],
    seconds: 4.5,
  });

const button = (name: string) => player.getByRole('button', { name, exact: true });
const melodySound = () => player.css('audio').element() as HTMLAudioElement;
const stored = async ({ id }: Melody) =>
  (await takeStore().listOf(singer.id)).filter(({ purpose }) => purpose === practiceOf(id));

async function openSinging(melody: Melody) {
  await openPlayer(melody, { user: singer });
  await pressLine(/^Play from “One/);
  await pressIn('Sing “One namo”');
  await expect.element(player.getByRole('group', { name: 'Sing and compare' })).toBeVisible();
}

/** Sings until the passage is over, which ends the take. */
async function sing() {
  await pressIn('Sing');
  await expect.element(button('Done')).toBeVisible();
  await expect.poll(() => heard().plays).toBe(true);
  expect(melodySound().muted, 'only the light goes along').toBe(true);
  await expect.element(button('Mine')).toBeEnabled();
  expect(melodySound().muted).toBe(false);
}

test('one sings a line, hears the teacher, oneself and both, and submits it from there', async () => {
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await expectText(player.getByText(/^Line 1 · /).first(), 'Line 1 · 0:01.0 – 0:03.0');
  expect(heard().plays, 'it waits to be asked').toBe(false);
  await sing();
  const [take] = await stored(melody);
  expect(take).toMatchObject({ purpose: practiceOf(melody.id), state: 'recorded' });
  await expect.poll(async () => passageOf((await stored(melody))[0]!)?.offset).toBeGreaterThan(0);
  const passage = passageOf((await stored(melody))[0]!)!;
  expect(passage).toMatchObject({ a: 1, b: 3, rate: 1 });
  // Two seconds, and one for the last note.
  expect(take!.seconds).toBeGreaterThan(2.5);

  await pressIn('Khandro-la');
  await expect.poll(() => sounding()).toEqual([melodySound()]);
  // Until the line is over.
  await expect.poll(() => sounding()).toEqual([]);
  expect(heard().at).toBeLessThan(3.2);
  await pressIn('Mine');
  await expect.poll(() => sounding()).toHaveLength(1);
  expect(sounding()).not.toContain(melodySound());
  await pressIn('Both');
  await expect.poll(() => sounding()).toHaveLength(2);
  await expect
    .poll(() => {
      const own = sounding().find((each) => each !== melodySound());
      return own && Math.abs(own.currentTime - passage.offset - (melodySound().currentTime - 1));
    })
    .toBeLessThan(0.1);
  await pressIn('Both');
  await expect.poll(() => sounding()).toEqual([]);
  await expectFineEverywhere('a take to compare');

  await pressIn('Submit');
  await expectAddress(new RegExp(`^/submit.melody=${melody.id}&player=${melody.id}&take=`));
  await expect.element(page.getByRole('heading', { name: 'Your recording' })).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Song');
  await expectCount(page.getByText('A recording was not submitted'), 0);
});

test('a take stays on the device until it is let go, which is asked about', async () => {
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await sing();
  await openAgain(melody, '', { user: singer });
  await pressLine(/^Play from “Two/);
  await pressIn('Sing “Two namo”');
  await expect.element(button('Sing again')).toBeVisible();
  await pressIn('Let it go');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
  expect(await stored(melody)).toHaveLength(1);
  await pressIn('Let it go');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Let it go' }).click();
  await expect.poll(async () => (await stored(melody)).length).toBe(0);
  await expect.element(button('Sing')).toBeVisible();
});

test('what was sung until the player was closed is there again', async () => {
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await pressIn('Sing');
  await expect.poll(async () => (await stored(melody)).length).toBe(1);
  await openAgain(melody, '', { user: singer });
  await pressLine(/^Play from “One/);
  await pressIn('Sing “One namo”');
  await expect.element(button('Mine')).toBeEnabled();
  expect(melodySound().muted).toBe(false);
});

test('no more takes of a melody are kept than can be looked over', async () => {
  const melody = aSongOfTwoLines();
  const sending = sungAs({ a: 1, b: 3, rate: 1, offset: 0 });
  const take = {
    userId: singer.id,
    purpose: practiceOf(melody.id),
    origin: 'uploaded',
    name: 'take.wav',
    type: 'audio/wav',
  } as const;
  for (let i = 0; i < MOST_TAKES; i += 1)
    await takeStore().keepFile({ ...take, sending }, new Blob(['RIFF']), { seconds: 2, peaks: null });
  await openSinging(melody);
  await expect
    .element(player.getByText(`${MOST_TAKES} takes are kept here. Let one go first.`))
    .toBeVisible();
  await expect.element(button('Sing again')).toBeDisabled();
  await expect.element(player.getByLabelText('Your takes')).toBeVisible();
});

test('the teacher, who submits nothing, is not asked to sing', async () => {
  await openPlayer(aSongOfTwoLines(), { user: aTeacher() });
  await pressLine(/^Play from “One/);
  await expect.element(button('Loop line “One namo”')).toBeVisible();
  await expectCount(player.getByRole('button', { name: /^Sing/ }), 0);
});

test('without the microphone it says what to do, and the melody is heard as before', async () => {
  await openSinging(aSongOfTwoLines());
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  await pressIn('Sing');
  await expect.element(player.getByText(/^Could not access microphone/)).toBeVisible();
  expect(melodySound().muted).toBe(false);
  await expectFineEverywhere('no microphone');
});
