import { composeSong, inventSinger, perform, RATE, wholeSong } from '../src/testing/singing.ts';
import { wavFile } from '../src/testing/tone.ts';
import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';
const wavOf = (s: Float32Array) => { const m = s.reduce((a, b) => Math.max(a, Math.abs(b)), 0); return wavFile(s.length / RATE, RATE, (t) => (25_000 * s[Math.round(t * RATE)]!) / m); };
const TEXT = ['Hung orgyen yul gyi nubjang tsam', 'Pema gesar dongpo la', 'Yatsen chok gi ngödrub nye', 'Pema jungne zhe su drak', 'འཁོར་དུ་མཁའ་འགྲོ་མང་པོས་བསྐོར༔', 'Khye kyi je su dak drub kyi'];
test('shots', async ({ signedIn, world }) => {
  test.setTimeout(300_000);
  const song = composeSong('praise two', { lines: 6 });
  const melody = perform('melody', song, inventSinger('teacher'), wholeSong(song));
  const take = perform('take', song, inventSinger('student'), [0, 1, 2, 4, 5].map((line) => ({ line })), { tempo: 0.85, rubato: 0.3, wrongNotes: 0.1 });
  const { id } = await addMelody(world, { text: TEXT.join('\n'), timings: melody.lines.map(({ line, start }) => ({ line, start })), sound: wavOf(melody.sound) });
  const page = await signedIn(await world.student());
  for (const [name, size] of Object.entries({ phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 }, small: { width: 320, height: 640 } })) {
    await page.setViewportSize(size);
    await page.goto(`/submit?melody=${id}`);
    await page.getByRole('tab', { name: 'Upload Audio File' }).click();
    await page.locator('input[type=file]').setInputFiles({ name: 'song.wav', mimeType: 'audio/wav', buffer: wavOf(take.sound) });
    const section = page.getByRole('region', { name: 'Line by line' });
    await expect(section).toBeVisible();
    if (name !== 'small') await page.screenshot({ path: `/tmp/device-shots/${name}-working.png`, fullPage: true });
    await expect(section).toContainText('lines found', { timeout: 90_000 });
    await page.screenshot({ path: `/tmp/device-shots/${name}-found.png`, fullPage: true });
    for (const n of [1, 5]) {
      await section.getByRole('button', { name: new RegExp(`^Line ${n}`), expanded: false }).click();
      await section.getByRole('button', { name: 'Picture of the pitch' }).click();
      await expect(section.getByRole('img')).toBeVisible({ timeout: 30_000 });
      await section.scrollIntoViewIfNeeded();
      await section.screenshot({ path: `/tmp/device-shots/${name}-picture-${n}.png` });
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await section.screenshot({ path: `/tmp/device-shots/${name}-picture-dark.png` });
    await page.emulateMedia({ colorScheme: 'light' });
    if (name === 'phone') {
      await section.getByRole('button', { name: 'Both, line 5' }).click();
      await page.waitForTimeout(500);
      await section.screenshot({ path: `/tmp/device-shots/${name}-both.png` });
      await page.goto(`/submit?melody=${id}`);
      await page.getByRole('button', { name: 'Start recording' }).click();
      await page.waitForTimeout(3000);
      await page.getByRole('button', { name: 'Stop recording' }).click();
      await page.waitForTimeout(500);
      await page.screenshot({ path: `/tmp/device-shots/${name}-recorded.png`, fullPage: true });
      await expect(page.getByText(/could not be told apart/)).toBeVisible({ timeout: 60_000 });
      await page.screenshot({ path: `/tmp/device-shots/${name}-unsure.png`, fullPage: true });
    }
  }
});
