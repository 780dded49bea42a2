import type { Locator, Page } from '@playwright/test';
import { expectAccessibleWithoutOverflow } from './expect-accessible.ts';
import { expect, test, type Student, type World } from './fixtures.ts';
import { findMelodyCard, PICTURE_UPLOAD } from './melodies.ts';
import { createTone } from '#testing/tone.ts';

const SECONDS = 8;

/** Adds a melody to a level, with everything that a device can save: audio, picture, words and timings. */
async function addToLevel(world: World, level: { id: number }, title: string) {
  const added = await world.teacher.form('/api/melodies', {
    title,
    transmissionLevelId: level.id,
    melodyText: 'Sangye chö dang\nJangchub bardu',
    audioFile: { bytes: createTone(SECONDS, 220, 48_000), name: 'song.wav' },
    thumbnail: { bytes: PICTURE_UPLOAD.buffer, name: PICTURE_UPLOAD.name },
  });
  expect(added.status).toBe(201);
  const id = added.body.id as number;
  const timings = JSON.stringify([
    { line: 0, start: 1 },
    { line: 1, start: 3 },
  ]);
  expect((await world.teacher.form(`/api/melodies/${id}`, { timings }, { method: 'PUT' })).status).toBe(200);
  return { id, audioUrl: added.body.audioUrl as string };
}

async function makeRetreat(world: World, titles: string[]) {
  const name = `Level ${crypto.randomUUID().slice(0, 8)}`;
  const { body: level } = await world.teacher.post('/api/admin/transmission-levels', { name });
  const student = await world.student(undefined, [name]);
  const melodies = [];
  for (const title of titles) melodies.push(await addToLevel(world, level as { id: number }, title));
  return { student, level: level as { id: number; name: string }, melodies };
}

type SignedIn = (person: Student, options: { serviceWorkers: 'allow' }) => Promise<Page>;

/** Opens the library with the service worker in control. */
async function openLibrary(signedIn: SignedIn, student: Student) {
  const page = await signedIn(student, { serviceWorkers: 'allow' });
  await page.goto('/melodies');
  await page.evaluate(() => navigator.serviceWorker.ready);
  return page;
}

const keepOf = (page: Page, title: string) =>
  page.getByRole('button', { name: `Save for offline: ${title}` });

async function saveMelody(page: Page, title: string) {
  await keepOf(page, title).click();
  await expect(findMelodyCard(page, title).getByText('Saved on this device')).toBeVisible();
}

/**
 * Reads the pack from IndexedDB, bypassing the app. Returns the number of records in each store, and all
 * bytes as text.
 */
const readStoredData = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('pack');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
      // Aborts if the database does not exist, because reading must not create it.
      request.onupgradeneeded = () => request.transaction!.abort();
    }).catch(() => null);
    if (!db) return { counts: { owner: 0, entries: 0, chunks: 0 }, text: '' };
    const of = (name: string) =>
      new Promise<Record<string, unknown>[]>((resolve) => {
        const request = db.transaction(name).objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result);
      });
    const [owner, entries, chunks] = [await of('owner'), await of('entries'), await of('chunks')];
    db.close();
    const decoder = new TextDecoder('latin1');
    const text = (value: unknown): string => {
      if (value instanceof ArrayBuffer) return decoder.decode(value);
      if (ArrayBuffer.isView(value)) return decoder.decode(value);
      if (value && typeof value === 'object') return Object.values(value).map(text).join(' ');
      return String(value);
    };
    return {
      counts: { owner: owner.length, entries: entries.length, chunks: chunks.length },
      text: [...owner, ...entries, ...chunks].map(text).join('\n'),
    };
  });

const NOTHING = { owner: 0, entries: 0, chunks: 0 };

// Without ffmpeg, files and sizes stay the same. With ffmpeg, converted copies would replace the audio during
// the test.
test.use({ environment: { FFMPEG_PATH: 'none' } });

test('saved melodies play offline for 30 days, then are deleted', async ({ signedIn, world }) => {
  const { student } = await makeRetreat(world, ['Seven Line Prayer', 'Heard with a connection']);
  await submitRecordingWithFeedback(world, student);
  const page = await openLibrary(signedIn, student);

  await test.step('the student saves a melody and their own recordings and feedback', async () => {
    await saveMelody(page, 'Seven Line Prayer');
    expect((await readStoredData(page)).counts).toMatchObject({ owner: 1, entries: 1 });
    await page.getByRole('button', { name: 'Offline melodies' }).click();
    const dialog = page.getByRole('dialog', { name: 'Offline melodies' });
    await dialog.getByRole('button', { name: 'Save: Your recordings and feedback' }).click();
    await expect(dialog.getByText(/^Your recordings and feedback \d/)).toBeVisible();
    await expect(dialog.getByText(/^Seven Line Prayer \d/)).toBeVisible();
    await expect(dialog.getByText(/You can listen offline until \d+ \w+/)).toBeVisible();
    await expectAccessibleWithoutOverflow(page, 'offline melodies');
  });

  await page.context().setOffline(true);
  await test.step('offline, the saved melody shows words and picture, and seeking and looping work', async () => {
    await page.goto('/melodies');
    await expect(page.getByText('You’re offline.')).toBeVisible();
    await expect(findMelodyCard(page, 'Seven Line Prayer')).toBeVisible();
    await expect(findMelodyCard(page, 'Heard with a connection')).toHaveCount(0);
    const image = findMelodyCard(page, 'Seven Line Prayer').locator('img');
    await expect
      .poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);

    await page.getByRole('button', { name: 'Advanced Player: Seven Line Prayer' }).click();
    const player = page.getByRole('dialog', { name: 'Seven Line Prayer' });
    await expect(player.getByText('Jangchub bardu')).toBeVisible();
    await player.getByRole('button', { name: 'Play', exact: true }).click();
    const audio = player.locator('audio');
    await expect.poll(() => audio.evaluate((one: HTMLAudioElement) => one.currentTime)).toBeGreaterThan(0);
    const jump = (to: number) =>
      audio.evaluate((one: HTMLAudioElement, seconds) => {
        one.pause();
        one.currentTime = seconds;
      }, to);
    // Seeks beyond what the browser has buffered so far, and then back. Both need range requests.
    await jump(7);
    await expect
      .poll(() => audio.evaluate((one: HTMLAudioElement) => one.currentTime >= 7 && !one.seeking))
      .toBe(true);
    await jump(2);
    await player.getByRole('button', { name: /^Set A/ }).click();
    await jump(3);
    await player.getByRole('button', { name: /^Set B/ }).click();
    await player.getByRole('button', { name: 'Play', exact: true }).click();
    expect(await furthestBeforeGoingBack(audio)).toBeGreaterThan(2.6);
  });

  await test.step('offline, saved recordings and feedback are listed and can be played', async () => {
    await page.goto('/feedback');
    await expect(page.getByText('Breathe before the last line.')).toBeVisible();
    await expect(page.getByText('You’re offline.')).toBeVisible();
    const loaded = () =>
      page.evaluate(
        () => [...document.querySelectorAll('audio')].filter(({ duration }) => duration > 0.9).length,
      );
    expect(await loaded()).toBe(0);
    for (const [index, title] of [
      'Audio response: My evening song',
      'Your recording of My evening song',
    ].entries()) {
      await page.getByRole('button', { name: `Play ${title}` }).click();
      await expect.poll(loaded).toBe(index + 1);
    }
    await page.goto('/past-recordings');
    await expect(page.getByText('My evening song')).toBeVisible();
  });

  await test.step('the library shows all melodies again once the device is online', async () => {
    await page.goto('/melodies');
    await expect(findMelodyCard(page, 'Heard with a connection')).toHaveCount(0);
    await page.context().setOffline(false);
    await expect(findMelodyCard(page, 'Heard with a connection')).toBeVisible();
    await expect(page.getByText('You’re offline.')).toHaveCount(0);
  });

  await test.step('saved melodies are deleted after 30 days, even if the clock is set back', async () => {
    await page.context().setOffline(true);
    await letDaysPass(page, 29.9);
    await page.goto('/melodies');
    await expect(findMelodyCard(page, 'Seven Line Prayer')).toBeVisible();
    await letDaysPass(page, 30.1);
    await page.goto('/melodies');
    await expect(page.getByText('Couldn’t load the melodies.')).toBeVisible();
    expect((await readStoredData(page)).counts).toEqual(NOTHING);
  });
});

/** Submits a recording as the student, and replies to it in writing and by voice as the teacher. */
async function submitRecordingWithFeedback(world: World, student: Student) {
  const browser = await world.as(student);
  const sent = await browser.form('/api/recordings', {
    title: 'My evening song',
    audio: { bytes: createTone(2), name: 'mine.wav' },
  });
  expect(sent.status).toBe(201);
  const answered = await world.teacher.form('/api/feedback', {
    recordingId: sent.body.id as number,
    writtenFeedback: 'Breathe before the last line.',
    audioFeedback: { bytes: createTone(1), name: 'hers.wav' },
  });
  expect(answered.status).toBe(201);
}

/**
 * Returns the furthest position before playback jumps back. Polls often, because if the interval were as long
 * as the loop, the position would seem to stand still.
 */
const furthestBeforeGoingBack = (audio: Locator) =>
  audio.evaluate(
    (one: HTMLAudioElement) =>
      new Promise<number>((resolve) => {
        let furthest = 0;
        const timer = setInterval(() => {
          if (one.currentTime > furthest) furthest = one.currentTime;
          else if (one.currentTime < furthest) {
            clearInterval(timer);
            resolve(furthest);
          }
        }, 20);
      }),
  );

/**
 * Moves the pack's stored `latest` time to `days` after its last contact with the server. The device's clock
 * still shows today, as if the user had set it back.
 */
const letDaysPass = (page: Page, days: number) =>
  page.evaluate(async (ms) => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('pack');
      request.onsuccess = () => resolve(request.result);
    });
    const store = db.transaction('owner', 'readwrite').objectStore('owner');
    await new Promise<void>((resolve) => {
      const reading = store.get('owner');
      reading.onsuccess = () => {
        const owner = reading.result as { lease: { contactAt: number; latest: number } };
        owner.lease.latest = owner.lease.contactAt + ms;
        store.put(owner, 'owner').onsuccess = () => resolve();
      };
    });
    db.close();
  }, days * 86_400_000);

test('saved melodies are deleted once their level is revoked or becomes online-only', async ({
  signedIn,
  world,
}) => {
  const { student, level, melodies } = await makeRetreat(world, ['Kept for now']);
  const page = await openLibrary(signedIn, student);
  await saveMelody(page, 'Kept for now');
  const { audioUrl } = melodies[0]!;
  const setNeverKept = (neverKept: boolean) =>
    world.teacher.put(`/api/admin/transmission-levels/${level.id}`, { neverKept });

  await test.step('an open page deletes the saved melodies of a level that becomes online-only', async () => {
    const { entries, chunks } = (await readStoredData(page)).counts;
    expect([entries, chunks > 0]).toEqual([1, true]);
    await setNeverKept(true);
    // The page deletes the saved melody without any user action.
    await expect
      .poll(async () => (await readStoredData(page)).counts)
      .toEqual({ owner: 1, entries: 0, chunks: 0 });
    await expect(findMelodyCard(page, 'Kept for now')).toBeVisible();
    await expect(keepOf(page, 'Kept for now')).toHaveCount(0);
    await page.getByRole('button', { name: 'Offline melodies' }).click();
    await expect(page.getByText('Never available offline')).toBeVisible();
    await expect(page.getByRole('button', { name: `Save: ${level.name}` })).toHaveCount(0);
    await setNeverKept(false);
    await page.getByRole('button', { name: `Save: ${level.name}` }).click();
    await page.keyboard.press('Escape');
    await expect(findMelodyCard(page, 'Kept for now').getByText('Saved on this device')).toBeVisible();
  });

  const heard = () =>
    page.evaluate(
      (name) =>
        fetch(`/api/files/${name}?type=audio`, { headers: { range: 'bytes=0-99' } }).then(
          ({ status }) => status,
          () => 0,
        ),
      audioUrl,
    );

  await test.step('while the device is offline, saved melodies of a revoked level still play', async () => {
    await page.context().setOffline(true);
    await world.teacher.delete(`/api/admin/users/${student.id}/transmission-access/${level.id}`);
    await page.goto('/melodies');
    // Waits until the page has loaded its user's id, because the service worker serves saved files only to that
    // user.
    await expect(findMelodyCard(page, 'Kept for now')).toBeVisible();
    expect(await heard()).toBe(206);
  });

  await test.step('once online, melodies of a revoked level are deleted before they can be served', async () => {
    await page.context().setOffline(false);
    // The page's script has not started yet, so the service worker must check access itself before it serves a
    // saved file.
    await page.goto('/submit', { waitUntil: 'commit' });
    expect(await heard()).toBe(404);
    expect((await readStoredData(page)).counts).toMatchObject({ entries: 0, chunks: 0 });
    await page.goto('/melodies');
    await expect(findMelodyCard(page, 'Kept for now')).toHaveCount(0);
  });
});

test('saved melodies are encrypted, and deleted when the user signs out', async ({ signedIn, world }) => {
  const { student, melodies } = await makeRetreat(world, ['Of one alone']);
  const page = await openLibrary(signedIn, student);
  await saveMelody(page, 'Of one alone');
  const kept = await readStoredData(page);
  expect(kept.counts.chunks).toBeGreaterThan(1);
  // The header of the WAV file, a line of the words and the title must not be readable.
  for (const words of ['RIFF', 'Sangye', 'Of one alone']) expect(kept.text).not.toContain(words);
  const isExportable = await page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('pack');
      request.onsuccess = () => resolve(request.result);
    });
    const owner = await new Promise<{ key: CryptoKey }>((resolve) => {
      const request = db.transaction('owner').objectStore('owner').get('owner');
      request.onsuccess = () => resolve(request.result as { key: CryptoKey });
    });
    db.close();
    return owner.key.extractable;
  });
  expect(isExportable).toBe(false);

  const signIn = ({ username, password }: Student) =>
    page.evaluate(
      (body) =>
        fetch('/api/login', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then(({ status }) => status),
      { username, password },
    );

  await test.step('signing in as another user deletes the saved melodies', async () => {
    const other = await world.student();
    expect(await signIn(other)).toBe(200);
    expect((await readStoredData(page)).counts).toEqual(NOTHING);
    await page.context().setOffline(true);
    const status = await page.evaluate(
      (name) =>
        fetch(`/api/files/${name}?type=audio`).then(
          (answer) => answer.status,
          () => 0,
        ),
      melodies[0]!.audioUrl,
    );
    expect(status).toBe(0);
    await page.context().setOffline(false);
    expect(await signIn(student)).toBe(200);
  });

  await test.step('signing out on a page without the service worker deletes the saved melodies', async () => {
    await page.goto('/melodies');
    await saveMelody(page, 'Of one alone');
    const worker = await page.context().newCDPSession(page);
    await worker.send('Network.enable');
    await worker.send('Network.setBypassServiceWorker', { bypass: true });
    await page.reload();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('**/auth');
    await expect.poll(async () => (await readStoredData(page)).counts).toEqual(NOTHING);
    await worker.send('Network.setBypassServiceWorker', { bypass: false });
    expect(await signIn(student)).toBe(200);
  });

  await test.step('signing out deletes the saved melodies', async () => {
    await page.goto('/melodies');
    await saveMelody(page, 'Of one alone');
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.waitForURL('**/auth');
    expect((await readStoredData(page)).counts).toEqual(NOTHING);
  });
});

test('saving a melody handles a lack of space, interruptions and damaged audio', async ({
  signedIn,
  world,
}) => {
  const { student, melodies } = await makeRetreat(world, ['In two parts']);
  const page = await openLibrary(signedIn, student);
  const removeFromDevice = async () => {
    await page.getByRole('button', { name: /^Remove from this device/ }).click();
    await page.keyboard.press('Escape');
  };

  await test.step('the page reports that saving a melody exceeded the browser’s quota', async () => {
    const devTools = await page.context().newCDPSession(page);
    const origin = new URL(page.url()).origin;
    const { usage } = (await devTools.send('Storage.getUsageAndQuota', { origin })) as { usage: number };
    await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 300_000 });
    await keepOf(page, 'In two parts').click();
    await page.getByRole('button', { name: 'Offline melodies' }).click();
    await expect(page.getByText('There isn’t enough space on this device.')).toBeVisible();
    await expect(
      page.getByText(/^Saving this takes 0\.\d MB, but this browser can’t save anything more/),
    ).toBeVisible();
    await devTools.send('Storage.overrideQuotaForOrigin', { origin });
    await removeFromDevice();
  });

  await test.step('the page reports insufficient space before it stores any audio', async () => {
    await page.evaluate(
      () => (navigator.storage.estimate = () => Promise.resolve({ quota: 900_000, usage: 600_000 })),
    );
    await keepOf(page, 'In two parts').click();
    await page.getByRole('button', { name: 'Offline melodies' }).click();
    await expect(
      page.getByText(/^Saving this takes 0\.8 MB, but this browser has room for only 0\.3 MB/),
    ).toBeVisible();
    expect((await readStoredData(page)).counts.chunks).toBe(0);
    await removeFromDevice();
    await page.goto('/melodies');
  });

  await test.step('the next page resumes an interrupted download and refetches damaged audio', async () => {
    const address = `**/api/files/${melodies[0]!.audioUrl}?type=audio&keep=yes`;
    const ranges: (string | undefined)[] = [];
    let isNextPage = false;
    // Responds first with only the first half of the file, and then with the expected length but wrong bytes.
    await page.route(address, async (route) => {
      // Blocks the retry that the first page makes a second later.
      if (ranges.length === 1 && !isNextPage) return route.abort();
      ranges.push(route.request().headers().range);
      const answer = await route.fetch();
      const body = await answer.body();
      const { 'content-length': _, ...headers } = answer.headers();
      const sent = [body.subarray(0, body.length / 2), Buffer.alloc(body.length)][ranges.length - 1] ?? body;
      await route.fulfill({ response: answer, headers, body: sent });
    });
    await keepOf(page, 'In two parts').click();
    await expect.poll(() => ranges.length).toBe(1);
    await expect(findMelodyCard(page, 'In two parts').getByRole('progressbar')).toBeVisible();
    await expect.poll(async () => (await readStoredData(page)).counts.chunks).toBeGreaterThan(0);
    await page.goto('/melodies');
    isNextPage = true;
    await expect.poll(() => ranges.length).toBe(3);
    await expect(findMelodyCard(page, 'In two parts').getByText('Saved on this device')).toBeVisible();
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d{6,}-$/), undefined]);
  });
});
