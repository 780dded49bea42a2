import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as inbox from './inbox.ts';
import { TEACHER_CREDENTIALS, expect, test, type Student, type World } from './fixtures.ts';
import { waitUntilRecorded } from './takes.ts';

test.use({ sharesWorld: true });

const titlesOf = async (world: World, student: Student) => {
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  return (body as { title: string }[]).map(({ title }) => title);
};

async function record(page: Page, title: string, seconds = 1) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Start recording' }).click();
  await waitUntilRecorded(page, seconds);
}
const stop = (page: Page) => page.getByRole('button', { name: 'Stop recording' }).click();
const submit = (page: Page) => page.getByRole('button', { name: 'Submit to the teacher' }).click();
const findSubmittedHeading = (page: Page) =>
  page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' });
const expectSafeOnDevice = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
const findUnsentOffer = (page: Page) => page.getByRole('region', { name: 'You have an unsent recording' });

/** Starts a browser with its own profile, which survives when the browser is killed and started again. */
async function browserOf(
  world: World,
  person: Pick<Student, 'username' | 'password'>,
  options: { folder: string },
) {
  const context: BrowserContext = await chromium.launchPersistentContext(options.folder, {
    ...test.info().project.use.launchOptions,
    baseURL: world.url,
    permissions: ['microphone'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const { username, password } = person;
  await page.request.post('/api/login', { data: { username, password } });
  return { context, page };
}

/** Crashes the page as the operating system would, without an event and without time to clean up. */
async function kill(page: Page) {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // Not awaited, because the crashed page never responds to this call.
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
}

async function withFolder(use: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-browser-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

test('killing a tab while it records loses at most one second of audio', async ({ world }) => {
  const student = await world.student();
  await withFolder(async (folder) => {
    const first = await browserOf(world, student, { folder });
    await record(first.page, 'Cut off', 3);
    await kill(first.page);
    await first.context.close();

    const { context, page } = await browserOf(world, student, { folder });
    await page.goto('/submit');
    await expect(findUnsentOffer(page)).toContainText('It stopped early');
    await expect(page.getByLabel('Title')).toHaveValue('Cut off');
    await findUnsentOffer(page).getByRole('button', { name: 'Use this recording' }).click();
    await submit(page);
    await expect(findSubmittedHeading(page)).toBeVisible();
    const { body } = await (await world.as(student)).get('/api/student/recordings');
    expect(body).toMatchObject([{ title: 'Cut off' }]);
    expect(body[0].duration).toBeGreaterThanOrEqual(2);
    await page.goto('/submit');
    await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
    await expect(findUnsentOffer(page)).toBeHidden();
    await context.close();
  });
});

test('a spoken reply cut off by a killed tab is restored in its recording’s card', async ({ world }) => {
  await inbox.clearInbox(world);
  const student = await world.student();
  await inbox.submitRecording(world, student, { title: 'Not this one' });
  const id = await inbox.submitRecording(world, student, { title: 'Being answered' });
  const cardOn = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });
  const open = (page: Page, title: string) =>
    page
      .getByRole('navigation', { name: 'Waiting recordings' })
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('button', { name: 'Written feedback' })
      .click();
  await withFolder(async (folder) => {
    const first = await browserOf(world, TEACHER_CREDENTIALS, { folder });
    await first.page.goto('/admin');
    await open(first.page, 'Being answered');
    await cardOn(first.page, 'Being answered').getByRole('button', { name: 'Record audio response' }).click();
    await waitUntilRecorded(first.page, 3);
    await kill(first.page);
    await first.context.close();

    const { context, page } = await browserOf(world, TEACHER_CREDENTIALS, { folder });
    await page.goto('/admin');
    const card = cardOn(page, 'Being answered');
    await expect(cardOn(page, 'Not this one').getByRole('button', { name: 'Send Feedback' })).toBeVisible();
    await expect(cardOn(page, 'Not this one').getByText(/it was cut off/)).toHaveCount(0);
    await open(page, 'Being answered');
    await expect(card.getByText(/it was cut off. Everything up to that point is here/)).toBeVisible();
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(card).toHaveCount(0);
    const spoken = async () =>
      (await world.teacher.get(`/api/admin/recordings/${id}/feedback`)).body.audioFeedbackDuration as unknown;
    await expect.poll(spoken).toBeGreaterThanOrEqual(2);
    await page.reload();
    await expect(cardOn(page, 'Not this one')).toBeVisible();
    await expect(page.getByText(/it was cut off/)).toHaveCount(0);
    await context.close();
  });
});

test('only one of two windows can take over an unsent recording', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Found by two');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  const second = await page.context().newPage();
  await second.goto('/submit');
  await expect(second.getByRole('button', { name: 'Start recording' })).toBeVisible();
  await expect(findUnsentOffer(second)).toBeHidden();

  await page.reload();
  await expect(findUnsentOffer(page)).toBeVisible();
  await second.reload();
  await expect(findUnsentOffer(second)).toBeVisible();
  // Prevents this window from notifying the other window, so that the button there can still be pressed.
  await page.evaluate(() => (BroadcastChannel.prototype.postMessage = () => undefined));
  await findUnsentOffer(page).getByRole('button', { name: 'Use this recording' }).click();
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await findUnsentOffer(second).getByRole('button', { name: 'Use this recording' }).click();
  await expect(second.getByText('It’s open in another window. Please continue there.').first()).toBeVisible();
  await expect(findUnsentOffer(second)).toBeHidden();
  await submit(page);
  await expect(findSubmittedHeading(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Found by two']);
});

test('a recording made offline is sent in the background once its student is signed in', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const other = await world.student();
  const page = await signedIn(student, { serviceWorkers: 'allow' });
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  /** Fires the background sync event, as the browser does once there is a connection. */
  const sync = async () =>
    session.send('ServiceWorker.dispatchSyncEvent', {
      origin: new URL(world.url).origin,
      registrationId: await registered,
      tag: 'send takes',
      lastChance: false,
    });
  const signIn = ({ username, password }: Student) =>
    page.request.post('/api/login', { data: { username, password } });

  await test.step('pages open offline from a cache that contains no API responses', async () => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    const cached = await page.evaluate(async () => {
      const urls = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
      return urls;
    });
    expect(cached.filter((path) => path.startsWith('/api'))).toEqual([]);
    await page.context().setOffline(true);
    await record(page, 'Sent in the background');
    await stop(page);
    await submit(page);
    await expectSafeOnDevice(page);
  });

  await test.step('background sync sends the recording only while its student is signed in', async () => {
    await page.goto('about:blank');
    await page.context().setOffline(false);
    await signIn(other);
    await sync();
    await signIn(student);
    await sync();
    await expect.poll(() => titlesOf(world, student)).toEqual(['Sent in the background']);
    expect(await titlesOf(world, other)).toEqual([]);
  });
});

test('two windows with the same queue send a recording only once', async ({ signedIn, world }) => {
  const student = await world.student();
  const first = await signedIn(student);
  const context = first.context();
  await record(first, 'From one of two');
  await stop(first);
  await context.setOffline(true);
  await submit(first);
  await expectSafeOnDevice(first);
  const second = await context.newPage();

  await test.step('a recording deleted in one window stays in the form of the other window', async () => {
    // Lets pages load again, while uploads still fail.
    await context.route('**/api/uploads/**', (route) => route.abort());
    await context.setOffline(false);
    await second.goto('/submit');
    await second
      .getByRole('region', { name: 'Not sent yet' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await second.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(
      first.getByText('This recording was deleted in another window, but it’s still here.'),
    ).toBeVisible();
    await expect(findSubmittedHeading(first)).toHaveCount(0);
    await expect(first.getByLabel('Title')).toHaveValue('From one of two');
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  });

  await test.step('killing a window before its response arrives does not duplicate the recording', async () => {
    const caught = Promise.withResolvers<Page>();
    let isCaught = false;
    for (const tab of [first, second])
      await tab.route('**/api/recordings', async (route) => {
        if (isCaught || route.request().method() !== 'POST') return route.continue();
        isCaught = true;
        // Lets the server create the recording, but withholds the response from the tab.
        await route.fetch();
        caught.resolve(tab);
      });
    await submit(first);
    const doomed = await caught.promise;
    await kill(doomed);
    const other = doomed === first ? second : first;
    await expect(other.getByText('Your recording has been submitted to the teacher!').first()).toBeVisible();
    expect(await titlesOf(world, student)).toEqual(['From one of two']);
    await other.goto('/past-recordings');
    await other.goto('/submit');
    await expect(other.getByRole('button', { name: 'Start recording' })).toBeVisible();
    await expect(other.getByRole('region', { name: 'Not sent yet' })).toBeHidden();
    expect(await titlesOf(world, student)).toEqual(['From one of two']);
  });
});
