import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as inbox from './inbox.ts';
import { TEACHER, expect, test, type Student, type World } from './fixtures.ts';
import { recordedFor } from './takes.ts';

test.use({ sharesWorld: true });

const titlesOf = async (world: World, student: Student) => {
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  return (body as { title: string }[]).map(({ title }) => title);
};

async function record(page: Page, title: string, seconds = 2) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Start recording' }).click();
  await recordedFor(page, seconds);
}
const stop = (page: Page) => page.getByRole('button', { name: 'Stop recording' }).click();
const submit = (page: Page) => page.getByRole('button', { name: 'Submit to the teacher' }).click();
const submitted = (page: Page) =>
  page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' });
const found = (page: Page) => page.getByRole('region', { name: 'A recording was not submitted' });

/** A browser with a profile of its own, whose processes can be killed and started again. */
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

/** As the system does it: no event, no time to tidy up. */
async function kill({ context, page }: { context: BrowserContext; page: Page }) {
  const session = await context.newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // Nobody is left to answer it.
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
  await context.close();
}

async function withFolder(use: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-browser-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

test('a tab that is killed in the middle of a recording loses at most its last second', async ({ world }) => {
  const student = await world.student();
  await withFolder(async (folder) => {
    const first = await browserOf(world, student, { folder });
    await record(first.page, 'Cut off', 4);
    await kill(first);

    const { context, page } = await browserOf(world, student, { folder });
    await page.goto('/submit');
    await expect(found(page)).toContainText('It was cut off');
    await expect(page.getByLabel('Title')).toHaveValue('Cut off');
    await found(page).getByRole('button', { name: 'Use this recording' }).click();
    await submit(page);
    await expect(submitted(page)).toBeVisible();
    const { body } = await (await world.as(student)).get('/api/student/recordings');
    expect(body).toMatchObject([{ title: 'Cut off' }]);
    expect(body[0].duration).toBeGreaterThanOrEqual(3);
    await page.goto('/submit');
    await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
    await expect(found(page)).toBeHidden();
    await context.close();
  });
});

test('a tab that is killed in the middle of a spoken reply loses at most its last second, and the reply is offered at its recording', async ({
  world,
}) => {
  await inbox.answerAll(world);
  const student = await world.student();
  await inbox.submit(world, student, { title: 'Not this one' });
  const id = await inbox.submit(world, student, { title: 'Being answered' });
  const cardOn = (page: Page, title: string) => page.getByRole('article', { name: title, exact: true });
  const open = (page: Page, title: string) =>
    cardOn(page, title).getByRole('button', { name: 'Written feedback' }).click();
  await withFolder(async (folder) => {
    const first = await browserOf(world, TEACHER, { folder });
    await first.page.goto('/admin');
    await open(first.page, 'Being answered');
    await cardOn(first.page, 'Being answered').getByRole('button', { name: 'Record audio response' }).click();
    await recordedFor(first.page, 4);
    await kill(first);

    const { context, page } = await browserOf(world, TEACHER, { folder });
    await page.goto('/admin');
    const card = cardOn(page, 'Being answered');
    await expect(cardOn(page, 'Not this one').getByRole('button', { name: 'Send Feedback' })).toBeVisible();
    await expect(cardOn(page, 'Not this one').getByText(/it was cut off/)).toHaveCount(0);
    await open(page, 'Being answered');
    await expect(card.getByText(/it was cut off. What was said until then is here/)).toBeVisible();
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(card).toHaveCount(0);
    const spoken = async () =>
      (await world.teacher.get(`/api/admin/recordings/${id}/feedback`)).body.audioFeedbackDuration as unknown;
    await expect.poll(spoken).toBeGreaterThanOrEqual(3);
    await page.reload();
    await expect(cardOn(page, 'Not this one')).toBeVisible();
    await expect(page.getByText(/it was cut off/)).toHaveCount(0);
    await context.close();
  });
});

test('what another tab is busy with is not offered, and a recording that was found is taken by one window alone', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Found by two');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  const second = await page.context().newPage();
  await second.goto('/submit');
  await expect(second.getByRole('button', { name: 'Start recording' })).toBeVisible();
  await expect(found(second)).toBeHidden();

  await page.reload();
  await expect(found(page)).toBeVisible();
  await second.reload();
  await expect(found(second)).toBeVisible();
  // The other window has not heard of it yet when it is pressed there.
  await page.evaluate(() => (BroadcastChannel.prototype.postMessage = () => undefined));
  await found(page).getByRole('button', { name: 'Use this recording' }).click();
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await found(second).getByRole('button', { name: 'Use this recording' }).click();
  await expect(second.getByText('It is open in another window. Please go on there.').first()).toBeVisible();
  await expect(found(second)).toBeHidden();
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Found by two']);
});

test('the pages open without a connection, and what is sung there arrives later', async ({ world }) => {
  const student = await world.student();
  await withFolder(async (folder) => {
    const { context, page } = await browserOf(world, student, { folder });
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    const kept = await page.evaluate(async () => {
      const urls = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
      return urls;
    });
    expect(kept.filter((path) => path.startsWith('/api'))).toEqual([]);
    await context.setOffline(true);
    await record(page, 'Sung without a connection');
    await stop(page);
    await submit(page);
    await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
    await context.setOffline(false);
    await expect.poll(() => titlesOf(world, student)).toEqual(['Sung without a connection']);
    await context.close();
  });
});

test('where the browser has Background Sync, what waits is sent with no page open, for who is signed in alone', async ({
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
  /** As the browser does once there is a connection. */
  const sync = async () =>
    session.send('ServiceWorker.dispatchSyncEvent', {
      origin: new URL(world.url).origin,
      registrationId: await registered,
      tag: 'send takes',
      lastChance: false,
    });
  const signIn = ({ username, password }: Student) =>
    page.request.post('/api/login', { data: { username, password } });
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await record(page, 'Sent in the background');
  await stop(page);
  await page.context().setOffline(true);
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  await page.goto('about:blank');
  await page.context().setOffline(false);
  await signIn(other);
  await sync();
  await signIn(student);
  await sync();
  await expect.poll(() => titlesOf(world, student)).toEqual(['Sent in the background']);
  expect(await titlesOf(world, other)).toEqual([]);
});

for (const [moment, method] of [
  ['while a chunk is on its way', 'PATCH'],
  ['before it hears that the recording is made', 'POST'],
] as const) {
  test(`of two tabs with the same queue one is killed ${moment}: the other one goes on, and it is there once`, async ({
    signedIn,
    world,
  }) => {
    const student = await world.student();
    const first = await signedIn(student);
    const second = await first.context().newPage();
    await second.goto('/submit');
    await record(first, 'From one of two');
    await stop(first);
    await first.context().setOffline(true);
    await submit(first);
    await expect(first.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();

    let catchTab = (_: Page) => {};
    const caught = new Promise<Page>((resolve) => (catchTab = resolve));
    let isCaught = false;
    for (const tab of [first, second])
      await tab.route(/\/api\/(uploads\/|recordings$)/, async (route) => {
        if (isCaught || route.request().method() !== method) return route.continue();
        isCaught = true;
        // The server does what it is asked, and the tab will never hear of it.
        await route.fetch();
        catchTab(tab);
      });
    await first.context().setOffline(false);
    const doomed = await caught;
    const other = doomed === first ? second : first;
    const crashed = doomed.waitForEvent('crash');
    const session = await doomed.context().newCDPSession(doomed);
    void session.send('Page.crash').catch(() => undefined);
    await crashed;

    await expect(other.getByText('Your recording has been submitted to the teacher!').first()).toBeVisible();
    expect(await titlesOf(world, student)).toEqual(['From one of two']);
    await other.goto('/past-recordings');
    await other.goto('/submit');
    await expect(other.getByRole('button', { name: 'Start recording' })).toBeVisible();
    await expect(other.getByRole('region', { name: 'On its way to the teacher' })).toBeHidden();
    expect(await titlesOf(world, student)).toEqual(['From one of two']);
  });
}

test('what another window discards on its way is not said to be submitted, and can be after all', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Discarded elsewhere');
  await stop(page);
  await page.context().setOffline(true);
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  // Pages can be had again, and nothing can be sent yet.
  await page.context().route('**/api/uploads/**', (route) => route.abort());
  await page.context().setOffline(false);
  const second = await page.context().newPage();
  await second.goto('/submit');
  await second
    .getByRole('region', { name: 'On its way to the teacher' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await second.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('This recording was discarded in another window.')).toBeVisible();
  await expect(submitted(page)).toHaveCount(0);
  await expect(page.getByLabel('Title')).toHaveValue('Discarded elsewhere');
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await second.close();
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Discarded elsewhere']);
});
