import { composeSong, inventSinger, perform, RATE, wholeSong } from '#testing/singing.ts';
import { wavFile } from '#testing/tone.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { focusFirstCard } from './inbox.ts';

const song = composeSong('praise', { lines: 3 });
const words = ['Sangye chö dang tsok', 'Jangchub bardu dak', 'Dakgi jin sok'];
const byTeacher = perform('melody', song, inventSinger('teacher'), wholeSong(song));
const byStudent = perform('take', song, inventSinger('student'), wholeSong(song));

function wavOf(sound: Float32Array) {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const at = (second: number) => (20_000 * (sound[Math.round(second * RATE)] ?? 0)) / loudest;
  return wavFile(sound.length / RATE, RATE, at);
}

async function submitSung(world: World) {
  const level = await world.level('Open to All');
  const melody = await world.teacher.form('/api/melodies', {
    title: 'Praise',
    transmissionLevelId: level.id,
    melodyText: words.join('\n'),
    timings: JSON.stringify(byTeacher.lines.map(({ line, start }) => ({ line, start }))),
    audioFile: { bytes: wavOf(byTeacher.sound), name: 'praise.wav' },
  });
  expect(melody.status).toBe(201);
  const student = await world.as(await world.student({ firstName: 'Tashi', lastName: 'Dolma' }));
  const { status, body } = await student.form('/api/recordings', {
    title: 'Sung praise',
    melodyId: melody.body.id as number,
    audio: { bytes: wavOf(byStudent.sound), name: 'take.wav' },
  });
  expect(status).toBe(201);
  return body.id as number;
}

test('a teacher sees the words as they were sung, corrects where a line begins, and after a reload it stands', async ({
  signedIn,
  world,
}) => {
  const id = await submitSung(world);
  const page = await signedIn(TEACHER);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/admin');
  await focusFirstCard(page, 'Sung praise');
  const card = page.getByRole('article', { name: 'Sung praise' });
  const line = card.getByRole('button', { name: `Play line 2: ${words[1]}` });
  // They are found meanwhile.
  await expect(async () => {
    const { body } = await world.teacher.get(`/api/recordings/${id}/lines`);
    expect((body as { state: string }).state).toBe('ready');
  }).toPass({ timeout: 60_000 });
  await page.reload();
  await expect(line).toBeVisible();

  const beginning = card.getByRole('slider', { name: 'Beginning of line 2' });
  const secondOf = async () => Number(await beginning.getAttribute('aria-valuenow'));
  const found = await secondOf();
  expect(Math.abs(found - byStudent.lines[1]!.start)).toBeLessThan(0.25);
  await line.focus();
  await page.keyboard.press('Tab');
  await expect(beginning).toBeFocused();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft');
  await expect(card.getByText('· kept')).toBeVisible();
  const corrected = await secondOf();
  expect(found - corrected).toBeCloseTo(0.3, 1);

  await page.reload();
  await expect(line).toBeVisible();
  expect(await secondOf()).toBe(corrected);
  // What is heard begins there.
  await card.locator('audio').evaluate((audio: HTMLAudioElement) => {
    audio.play = () => {
      audio.dataset['began'] ??= String(audio.currentTime);
      return HTMLMediaElement.prototype.play.call(audio);
    };
  });
  await line.click();
  const began = () => card.locator('audio').getAttribute('data-began');
  await expect.poll(began).not.toBeNull();
  expect(Number(await began())).toBeCloseTo(corrected, 1);
  await expect(line).toHaveAttribute('aria-current', 'true');
});
