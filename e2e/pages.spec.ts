import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

const LONG = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';

const studentPages = ['/', '/melodies', '/submit', '/feedback', '/past-recordings', '/nowhere'];
const teacherPages = [
  '/',
  '/melodies',
  '/admin',
  '/admin/add-melody',
  '/admin/registrations',
  '/admin/users',
  '/admin/invite',
  '/past-feedback',
];

test('every page of a student can be used by everyone, in both themes and at 320 px', async ({
  signedIn,
  world,
}) => {
  const student = await fill(world);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await signedIn(student, { colorScheme, viewport: { width: 320, height: 640 } });
    for (const path of studentPages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, `${path} ${colorScheme}`);
      await expectNoSidewaysScroll(page, path);
    }
  }
});

test('every page of the teacher can be used by everyone, in both themes and at 320 px', async ({
  signedIn,
  world,
}) => {
  const student = await fill(world);
  await world.teacher.post('/api/register-request', {
    fullName: LONG,
    email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.org`,
  });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await signedIn(TEACHER, { colorScheme, viewport: { width: 320, height: 640 } });
    for (const path of [...teacherPages, `/admin/users?user=${student.id}`]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, `${path} ${colorScheme}`);
      await expectNoSidewaysScroll(page, path);
    }
  }
});

test('the sign-in page can be used by everyone, in both themes and at 320 px', async ({ visitor }) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await visitor({ colorScheme, viewport: { width: 320, height: 640 } });
    await page.goto('/');
    for (const tab of ['Sign In', 'Request Access']) {
      await page.getByRole('tab', { name: tab }).click();
      await expectAccessible(page, `${tab} ${colorScheme}`);
      await expectNoSidewaysScroll(page, tab);
    }
  }
});

/** A student with long names, a pending and an answered recording, and a melody in Tibetan. */
async function fill(world: World) {
  const student = await world.student({ firstName: LONG.slice(0, 60), lastName: 'Dolma' });
  const client = await world.as(student);
  const audio = {
    bytes: await readFile(join(import.meta.dirname, '../src/testing/audio/om-voice.mp3')),
    name: 'om.mp3',
  };
  const message = `${LONG} `.repeat(20);
  const send = (title: string) => client.form('/api/recordings', { title, message, audio });
  await send(LONG.repeat(3));
  const { body } = await send('Answered');
  await world.teacher.form('/api/feedback', {
    recordingId: body.id,
    writtenFeedback: message,
    audioFeedback: audio,
  });
  const level = await world.level('Open to All');
  await world.teacher.form('/api/melodies', {
    title: LONG.repeat(3),
    description: message,
    transmissionLevelId: level.id,
    melodyText: 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
    vimeoUrl: 'https://example.org/video',
    audioFile: audio,
  });
  return student;
}
