import { TEACHER, expect, test } from './fixtures.ts';
import { submit } from './inbox.ts';
import { addMelody } from './player.ts';
import { pitchOf, readWav } from './sound.ts';

test.use({ environment: { FFMPEG_PATH: 'none' } });

test('a student agrees in writing that others hear a passage, they hear it and nothing else, and it ends with a press', async ({
  signedIn,
  world,
}) => {
  const levels = ['Open to All', 'Refuge'];
  const [tashi, pema] = await Promise.all([
    world.student({ firstName: 'Tashi', lastName: 'Dolma' }, levels),
    world.student({ firstName: 'Pema', lastName: 'Lhamo' }, levels),
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
  const marks = JSON.stringify([{ start: 4, end: 7, text: 'Beautiful', melodyAt: 4 }]);
  expect((await world.teacher.form('/api/feedback', { recordingId, marks })).status).toBe(201);
  const note = { clientId: crypto.randomUUID(), line: 1, text: 'Like this' };
  await world.teacher.post(`/api/melodies/${melody.id}/teaching-notes`, note);

  await test.step('the teacher asks', async () => {
    const page = await signedIn(TEACHER);
    await page.goto('/past-feedback');
    await page.getByRole('button', { name: 'Ask to share the passage of mark 1, 0:04–0:07' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask to share this passage' });
    await dialog.getByLabel('Ask for the name, too').check();
    await dialog.getByRole('button', { name: 'Ask Tashi Dolma' }).click();
    await expect(dialog.getByText('Tashi Dolma has been asked.')).toBeVisible();
  });

  const listener = await signedIn(pema);
  await listener.goto(`/melodies?play=${melody.id}&line=2`);
  const card = listener.getByRole('group', { name: 'Khandro-la’s note' });
  await expect(card).toContainText('Like this');
  await expect(listener.getByText(/sings it/)).toHaveCount(0);

  const singer = await signedIn(tashi);
  await singer.goto('/feedback');
  await singer.getByLabel('Show my name, Tashi Dolma, beside it').check();
  await singer.getByLabel('To agree, type your name').fill('Tashi');
  await singer.getByRole('button', { name: 'I agree' }).click();
  await expect(singer.getByText(/with your name, Tashi Dolma/)).toBeVisible();

  const heard = card.getByRole('button', { name: 'Play how Tashi Dolma sings it, 3 seconds' });
  const fetched = listener.waitForResponse((response) => response.url().includes('/api/files/'));
  await heard.click();
  const address = (await fetched).url();
  const { samples, rate } = readWav(await (await listener.request.get(address)).body());
  const recordings = await singer.request.get('/api/student/recordings');
  const [{ audioUrl }] = (await recordings.json()) as [{ audioUrl: string }];
  const whole = readWav(await (await singer.request.get(`/api/files/${audioUrl}?type=audio`)).body());
  expect(samples.length / rate).toBeCloseTo(3, 2);
  expect(samples).toEqual(whole.samples.slice(4 * whole.rate, 7 * whole.rate));
  expect(pitchOf(samples, rate)).toBeCloseTo(pitchOf(whole.samples, whole.rate), 0);
  expect((await listener.request.get(`/api/files/${audioUrl}?type=audio`)).status()).toBe(404);

  await test.step('stopped, it is gone from the open page and the server', async () => {
    await singer.getByRole('button', { name: 'Stop sharing' }).click();
    await singer.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
    await expect(singer.getByText('No longer shared').first()).toBeVisible();
    await expect(heard).toHaveCount(0);
    await expect(card).toContainText('Like this');
    expect((await listener.request.get(address)).status()).toBe(404);
  });
});
