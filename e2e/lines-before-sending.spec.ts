import type { Page } from '@playwright/test';
import { composeSong, inventSinger, perform, RATE, wholeSong } from '../src/testing/singing.ts';
import { wavFile } from '../src/testing/tone.ts';
import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';

const wavOf = (sound: Float32Array) =>
  wavFile(sound.length / RATE, RATE, (second) => 20_000 * sound[Math.round(second * RATE)]!);

/** Louder than any sample of it. */
const normal = (sound: Float32Array) => {
  const most = sound.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
  return sound.map((sample) => sample / most);
};

const TEXT = ['Hung orgyen yul gyi', 'Pema gesar dongpo la', 'Yatsen chok gi ngödrub', 'Pema jungne zhe su'];

test('a take is heard line by line before it is sent, and each line is where it was sung', async ({
  signedIn,
  world,
}) => {
  const song = composeSong('praise', { lines: TEXT.length });
  const melody = perform('melody', song, inventSinger('teacher'), wholeSong(song));
  // The third line is left out.
  const parts = [0, 1, 3].map((line) => ({ line }));
  const take = perform('take', song, inventSinger('student'), parts, { tempo: 0.85, rubato: 0.3 });
  const { id } = await addMelody(world, {
    text: TEXT.join('\n'),
    timings: melody.lines.map(({ line, start }) => ({ line, start })),
    sound: wavOf(normal(melody.sound)),
  });
  const page = await signedIn(await world.student());
  await watchPlaying(page);
  await page.goto(`/submit?melody=${id}`);
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const file = { name: 'song.wav', mimeType: 'audio/wav', buffer: wavOf(normal(take.sound)) };
  await page.locator('input[type=file]').setInputFiles(file);
  const section = page.getByRole('region', { name: 'Line by line' });
  await expect(section).toContainText('3 of 4 lines found', { timeout: 60_000 });
  await expect(section.getByRole('group', { name: 'Line 3' })).toContainText('not found');
  await page.screenshot({ path: '/tmp/device-shots/e2e.png', fullPage: true });

  await test.step('what is played is the line, as it is in the sound', async () => {
    await section.getByRole('button', { name: 'Mine, line 4' }).click();
    await expect.poll(() => played(page)).toHaveLength(1);
    await expect.poll(async () => (await played(page)).at(-1)?.to).not.toBeNull();
    const [passage] = await played(page);
    const sung = take.lines[2]!;
    console.log(passage, sung);
  });
});

type Passage = { src: string; from: number; to: number | null };

async function watchPlaying(page: Page) {
  await page.addInitScript(() => {
    const passages: Passage[] = [];
    Object.assign(window, { passages });
    const original = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function play() {
      const passage: Passage = { src: this.src, from: NaN, to: null };
      passages.push(passage);
      this.addEventListener('playing', () => (passage.from = this.currentTime), { once: true });
      this.addEventListener('pause', () => (passage.to = this.currentTime), { once: true });
      return original.call(this);
    };
  });
}

const played = (page: Page) => page.evaluate(() => (window as unknown as { passages: Passage[] }).passages);
