import type { Page } from '@playwright/test';
import { tone } from '#testing/tone.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { submit } from './inbox.ts';
import { addMelody } from './player.ts';
import { pitchOf, readWav } from './sound.ts';

// Without copies, what is heard can be compared byte by byte.
test.use({ environment: { FFMPEG_PATH: 'none' } });

const VOICE_HZ = 330;
const said = tone(1.5, VOICE_HZ);

test('what was said to one student at a mark is heard at its line by another with the level, and by nobody else', async ({
  signedIn,
  world,
}) => {
  const levels = ['Open to All', 'Refuge'];
  const [tashi, pema, karma] = await Promise.all([
    world.student({ firstName: 'Tashi', lastName: 'Dolma' }, levels),
    world.student({ firstName: 'Pema', lastName: 'Lhamo' }, levels),
    world.student({ firstName: 'Karma', lastName: 'Wangmo' }),
  ]);
  const melody = await addMelody(world, {
    text: 'Sangye chö dang\nJangchub bardu',
    level: 'Refuge',
    timings: [0, 1].map((line) => ({ line, start: 4 * line })),
  });
  const recordingId = await submit(world, tashi, {
    title: 'Sung by Tashi',
    melodyId: melody.id,
    seconds: 10,
  });
  await answerInVoice(world, recordingId);

  await test.step('the teacher makes a note of it, with one press and a look over it', async () => {
    const page = await signedIn(TEACHER);
    await page.goto('/past-feedback');
    await page.getByRole('button', { name: 'Make a note of mark 1, 0:05' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a note' });
    await expect(dialog.getByLabel('Words')).toHaveValue('Rise on “jang”');
    await expect(dialog.getByLabel('Line of the melody')).toHaveValue('1');
    await expect(dialog.getByLabel('With her voice, 0:02')).toBeChecked();
    await dialog.getByRole('button', { name: 'Keep note' }).click();
    await expect(page.getByText('The note is at the line “Jangchub bardu” now.')).toBeVisible();
  });

  const page = await signedIn(pema);
  await noteSounds(page);
  await page.goto(`/melodies?play=${melody.id}&line=2`);
  const player = page.getByRole('dialog', { name: melody.title });
  const note = player.getByRole('group', { name: 'Khandro-la’s note' });
  await expect(note).toContainText('Rise on “jang”');
  await expect(page.getByText(/Tashi|Dolma/)).toHaveCount(0);
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => soundsOf(page)).toMatchObject([{ plays: true }]);
  await note.getByRole('button', { name: /^Play the voice/ }).click();
  await expect.poll(() => soundsOf(page)).toMatchObject([{ plays: false }, { plays: true }]);
  await expect.poll(() => soundsOf(page)).toMatchObject([{ plays: true }, { plays: false, hasEnded: true }]);
  const address = (await soundsOf(page))[1]!.src;
  const bytes = await (await page.request.get(address)).body();
  expect(bytes.equals(said)).toBe(true);
  const { samples, rate } = readWav(bytes);
  expect(pitchOf(samples, rate)).toBeCloseTo(VOICE_HZ, 0);

  const { pathname, search } = new URL(address);
  const notesPath = `/api/melodies/${melody.id}/teaching-notes`;
  const answersTo = async (reader: Pick<Page, 'request'>) =>
    Promise.all(
      [notesPath, pathname + search].map(async (path) => (await reader.request.get(path)).status()),
    );
  expect(await answersTo(page)).toEqual([200, 200]);

  await test.step('who has not received the level neither sees nor hears it', async () => {
    const other = await signedIn(karma);
    await other.goto(`/melodies?play=${melody.id}`);
    await expect(other.getByText('This melody is not in your library.')).toBeVisible();
    await expect(other.getByText('Rise on “jang”')).toHaveCount(0);
    expect(await answersTo(other)).toEqual([404, 404]);
  });

  await test.step('a level that is revoked takes it away at once', async () => {
    const { id } = await world.level('Refuge');
    await world.teacher.delete(`/api/admin/users/${pema.id}/transmission-access/${id}`);
    await expect(note).toHaveCount(0);
    expect(await answersTo(page)).toEqual([404, 404]);
  });
});

/** An answer with one mark, in words with the student's name and in voice. */
async function answerInVoice(world: World, recordingId: number) {
  const voice = crypto.randomUUID();
  await world.teacher.put(`/api/uploads/${voice}`, { size: said.length });
  await world.teacher.patch(`/api/uploads/${voice}?start=0`, said);
  const mark = { start: 5, end: null, text: 'Tashi, rise on “jang”', melodyAt: 5, voice };
  const sent = await world.teacher.form('/api/feedback', { recordingId, marks: JSON.stringify([mark]) });
  expect(sent.status).toBe(201);
}

/** The sounds that the page begins, which are on no page. */
const noteSounds = (page: Page) =>
  page.addInitScript(() => {
    const begun = new Set<HTMLMediaElement>();
    Object.assign(window, { begun });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function () {
      begun.add(this);
      return play.call(this);
    };
  });

const soundsOf = (page: Page) =>
  page.evaluate(() =>
    [...(window as unknown as { begun: Set<HTMLMediaElement> }).begun].map((audio) => ({
      src: audio.src,
      plays: !audio.paused,
      hasEnded: audio.ended,
    })),
  );
