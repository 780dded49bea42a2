import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as inbox from './inbox.ts';
import { TEACHER, expect, test, type Student, type World } from './fixtures.ts';
import { slowDownDevice } from './slow-device.ts';

const OPEN_AGAIN = 'Open Yangchen again when you have a connection, within a week.';
const FAULT =
  'Something went wrong in Yangchen on this device; your recording is kept here. Please reload the page, and tell your teacher if this keeps happening.';

const titlesOf = async (world: World, student: Student) => {
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  return (body as { title: string }[]).map(({ title }) => title);
};

async function record(page: Page, title: string, seconds = 2) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(seconds * 1_000);
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
  const cardOn = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
  await withFolder(async (folder) => {
    const first = await browserOf(world, TEACHER, { folder });
    await first.page.goto('/admin');
    await cardOn(first.page, 'Being answered').getByRole('button', { name: 'Record audio response' }).click();
    await expect(first.page.getByText(/^Recording · /)).toBeVisible();
    await first.page.waitForTimeout(4_000);
    await kill(first);

    const { context, page } = await browserOf(world, TEACHER, { folder });
    await page.goto('/admin');
    const card = cardOn(page, 'Being answered');
    await expect(card.getByText(/it was cut off. What was said until then is here/)).toBeVisible();
    await expect(cardOn(page, 'Not this one').getByText(/it was cut off/)).toHaveCount(0);
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(card).toHaveCount(0);
    const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
    expect(body.audioFeedbackDuration).toBeGreaterThanOrEqual(3);
    await page.reload();
    await expect(cardOn(page, 'Not this one')).toBeVisible();
    await expect(page.getByText(/it was cut off/)).toHaveCount(0);
    await context.close();
  });
});

test('a recording that was left unsent is offered again, to its own singer only, until it is discarded', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Left behind');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await page.reload();
  await expect(found(page)).toBeVisible();

  await page.request.post('/api/logout');
  const other = await world.student();
  await page.request.post('/api/login', { data: { username: other.username, password: other.password } });
  await page.goto('/submit');
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
  await expect(found(page)).toBeHidden();

  await page.request.post('/api/login', { data: { username: student.username, password: student.password } });
  await page.goto('/submit');
  await found(page).getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(found(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
  await expect(found(page)).toBeHidden();
});

test('what another tab is busy with is not offered', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await record(page, 'In this tab');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  const second = await page.context().newPage();
  await second.goto('/submit');
  await expect(second.getByRole('button', { name: 'Start recording' })).toBeVisible();
  await expect(found(second)).toBeHidden();
});

test('submitted without a connection, it waits on the device and goes by itself when the connection is back', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'From the mountain');
  await stop(page);
  await page.context().setOffline(true);
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  // A closed page sends nothing, and nobody is told that it did.
  await expect(page.getByText(OPEN_AGAIN)).toBeVisible();
  await page.getByRole('button', { name: 'Record Another' }).click();
  const onItsWay = page.getByRole('region', { name: 'On its way to the teacher' });
  await expect(onItsWay).toContainText('From the mountain');
  await expect(onItsWay).toContainText('Waits for a connection.');
  await expect(onItsWay.getByText(OPEN_AGAIN)).toBeVisible();
  await expect(page.getByText(/may close/)).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.getByText('Your recording has been submitted to the teacher!').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'On its way to the teacher' })).toBeHidden();
  expect(await titlesOf(world, student)).toEqual(['From the mountain']);
});

test('a browser that lacks what came after our oldest ones records and sends all the same', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.addInitScript(() => {
    const later: [object, string[]][] = [
      [AbortSignal, ['any']],
      [Promise, ['withResolvers', 'try']],
      [Array, ['fromAsync']],
      [Object, ['groupBy']],
      [Map, ['groupBy']],
      [URL, ['canParse', 'parse']],
      [Response, ['json']],
      [Intl, ['Segmenter', 'DurationFormat']],
      [String.prototype, ['isWellFormed', 'toWellFormed']],
      [Element.prototype, ['checkVisibility', 'moveBefore', 'showPopover', 'hidePopover', 'togglePopover']],
      [Set.prototype, ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf']],
      [
        Object.getPrototypeOf(Object.getPrototypeOf([].values())),
        ['map', 'filter', 'toArray', 'some', 'find'],
      ],
      [document, ['startViewTransition']],
      [window, ['requestIdleCallback', 'scheduler', 'Iterator']],
    ];
    for (const [owner, names] of later) for (const name of names) Reflect.deleteProperty(owner, name);
  });
  await page.goto('/');
  expect(await page.evaluate(() => 'any' in AbortSignal)).toBe(false);
  await record(page, 'From an older phone', 3);
  await stop(page);
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  expect(body).toMatchObject([{ title: 'From an older phone' }]);
  expect(body[0].duration).toBeGreaterThanOrEqual(2);
});

test('what goes wrong in the program is not put on the connection, and the recording is kept until it is mended', async ({
  world,
}) => {
  const student = await world.student();
  await withFolder(async (folder) => {
    const { context, page } = await browserOf(world, student, { folder });
    const told: string[] = [];
    page.on('console', (message) => message.type() === 'error' && told.push(message.text()));
    await page.addInitScript(() => {
      const { send } = XMLHttpRequest.prototype;
      XMLHttpRequest.prototype.send = function (body) {
        if (localStorage.getItem('broken') === null) return send.call(this, body);
        throw new TypeError('undefined is not a function');
      };
      if (sessionStorage.getItem('begun') === null) localStorage.setItem('broken', 'yes');
      sessionStorage.setItem('begun', 'yes');
    });
    await record(page, 'Kept');
    await stop(page);
    await submit(page);
    await expect(page.getByText(FAULT)).toBeVisible();
    await expect(page.getByText(/no connection/i)).toHaveCount(0);
    await page.getByRole('button', { name: 'Record Another' }).click();
    const onItsWay = page.getByRole('region', { name: 'On its way to the teacher' });
    await expect(onItsWay.getByText(FAULT)).toBeVisible();
    await onItsWay.getByRole('button', { name: 'Try now' }).click();
    await expect(onItsWay.getByText(FAULT)).toBeVisible();
    expect(told).toEqual([expect.stringContaining('A recording could not be sent:')]);

    await page.evaluate(() => localStorage.removeItem('broken'));
    await page.reload();
    await expect.poll(() => titlesOf(world, student)).toEqual(['Kept']);
    await expect(onItsWay).toBeHidden();
    await context.close();
  });
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

test('two tabs that send the same queue make one recording', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  const second = await page.context().newPage();
  await second.goto('/submit');
  await record(page, 'Only once');
  await stop(page);
  await page.context().setOffline(true);
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Only once']);
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

for (const [status, message] of [
  [500, 'Something went wrong on our side.'],
  [413, 'Please select a file smaller than 10MB.'],
  [415, 'This is not audio that browsers play.'],
] as const) {
  test(`after a ${status} the recording is kept, and it is said so`, async ({ signedIn, world }) => {
    const student = await world.student();
    const page = await signedIn(student);
    let isBroken = true;
    await page.route('**/api/recordings', (route) =>
      isBroken ? route.fulfill({ status, json: { message } }) : route.continue(),
    );
    await record(page, `Refused with ${status}`);
    await stop(page);
    await submit(page);
    await expect(page.getByText('Failed to submit recording. Please try again.').first()).toBeVisible();
    if (status === 500) {
      await expect(
        page.getByRole('heading', { name: 'Your recording is safe on this device' }),
      ).toBeVisible();
      isBroken = false;
    } else {
      await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible();
      isBroken = false;
      await submit(page);
    }
    await expect(submitted(page)).toBeVisible({ timeout: 30_000 });
    expect(await titlesOf(world, student)).toEqual([`Refused with ${status}`]);
  });
}

test('what the server refuses while nobody looks waits on its page with the reason, and goes when it is tried again', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Refused behind the back');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  let isCut = true;
  await page.route('**/api/uploads/**', (route) => (isCut ? route.abort() : route.continue()));
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  let isRefused = true;
  await page.route('**/api/recordings', (route) =>
    isRefused && route.request().method() === 'POST'
      ? route.fulfill({ status: 415, json: { message: 'This is not audio that browsers play.' } })
      : route.continue(),
  );
  await page.getByRole('link', { name: 'Past Recordings' }).last().click();
  await expect(page.getByRole('heading', { name: 'Past Recordings', level: 1 })).toBeVisible();
  isCut = false;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  const waiting = page.getByRole('region', { name: 'On its way to the teacher' });
  await expect(waiting).toContainText('The server did not take it: This is not audio that browsers play.');
  // It is not tried again by itself.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  isRefused = false;
  await waiting.getByRole('button', { name: 'Try now' }).click();
  await expect(waiting).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Refused behind the back' })).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Refused behind the back']);
});

test('a session that ends before it is sent costs nothing: it goes after the next sign-in', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Signed out in between');
  await stop(page);
  await page.context().clearCookies();
  await submit(page);
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
  await page.getByLabel('Username').fill(student.username);
  await page.getByLabel('Password', { exact: true }).fill(student.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect.poll(() => titlesOf(world, student), { timeout: 30_000 }).toEqual(['Signed out in between']);
});

test('on a device that keeps nothing, recording and sending work all the same', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { value: undefined });
  });
  await record(page, 'In memory only');
  await stop(page);
  await expect(page.getByText('This browser keeps nothing on the device')).toBeVisible();
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['In memory only']);
});

/** Lets uploads wait on the way until the answer. */
async function slowConnection(page: Page) {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/uploads/**', async (route) => {
    if (route.request().method() === 'PATCH') await held;
    await route.continue().catch(() => undefined);
  });
  return { letGo };
}

test('what is being sent can be taken back into the form, and submitted after all', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'On second thoughts');
  await stop(page);
  await page.getByLabel('Message').fill('A first word');
  const connection = await slowConnection(page);
  await submit(page);
  await page.getByRole('button', { name: 'Cancel sending' }).click();
  await expect(page.getByRole('button', { name: 'Submit to the teacher' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('On second thoughts');
  await expect(page.getByLabel('Message')).toHaveValue('A first word');
  connection.letGo();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  expect(await titlesOf(world, student)).toEqual([]);
  await page.getByLabel('Title').fill('Better so');
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Better so']);
});

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

test('a recording that was found is taken by one window alone', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Found by two');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await page.reload();
  await expect(found(page)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto('/submit');
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

test('what waits is not sent in the name of who signs in next, and goes when its singer is back', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const other = await world.student();
  const page = await signedIn(student);
  await record(page, 'Mine alone');
  await stop(page);
  await page.context().setOffline(true);
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  // In another window somebody else signs in, while this one still shows the first.
  const signIn = ({ username, password }: Student) =>
    page.request.post('/api/login', { data: { username, password } });
  await page.route('**/api/uploads/**', (route) => route.abort());
  await page.context().setOffline(false);
  await signIn(other);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(page.getByText('You are logged out. Logging in again...').first()).toBeVisible();
  await page.goto('/past-recordings');
  await expect(page.getByText('No recordings yet')).toBeVisible();
  expect([await titlesOf(world, student), await titlesOf(world, other)]).toEqual([[], []]);
  await signIn(student);
  await page.goto('/past-recordings');
  await expect.poll(() => titlesOf(world, student), { timeout: 30_000 }).toEqual(['Mine alone']);
  expect(await titlesOf(world, other)).toEqual([]);
});

test('who submits at once, while a slow device still writes the end, is not told that there is no recording', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await slowDownDevice(page);
  await record(page, 'Sent at once');
  await stop(page);
  await submit(page);
  await expect(page.getByText('Please record or upload an audio file.')).toHaveCount(0);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Sent at once']);
});

test('pressing twice submits once', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Twice pressed');
  await stop(page);
  await page.getByRole('button', { name: 'Submit to the teacher' }).dblclick();
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Twice pressed']);
});

test('a device that is full in the middle still lets one submit, once', async ({ signedIn, world }) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...given: [unknown]) {
      const request = put.apply(this, given);
      if ((window as unknown as { isFull?: boolean }).isFull) this.transaction.abort();
      return request;
    } as typeof put;
  });
  await record(page, 'No room left');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await page.evaluate(() => ((window as unknown as { isFull: boolean }).isFull = true));
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  await page.goto('/submit');
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
  await expect(found(page)).toBeHidden();
  expect(await titlesOf(world, student)).toEqual(['No room left']);
});

test('the browser is asked to keep what is on the device, once there is something', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(await world.student());
  await page.addInitScript(() => {
    StorageManager.prototype.persist = () => {
      (window as unknown as { asked: number }).asked = 1;
      return Promise.resolve(false);
    };
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked?: number }).asked ?? 0);
  await page.goto('/submit');
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
  expect(await asked()).toBe(0);
  await record(page, 'To be kept');
  await expect.poll(asked).toBe(1);
});

test('what the browser has forgotten on the device is sent from the page’s memory, and only then said to be sent', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Forgotten by the browser');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  // As a browser does that needs the room, or a person who clears what sites have stored.
  await page.evaluate(async () => {
    const opening = indexedDB.open('takes');
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const clearing = opening.result.transaction(['takes', 'pieces'], 'readwrite');
    clearing.objectStore('takes').clear();
    clearing.objectStore('pieces').clear();
    await new Promise((resolve) => (clearing.oncomplete = resolve));
    opening.result.close();
  });
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Forgotten by the browser']);
});

test('a session that ends while a second song is sung does not cut it off; it is kept, and then one signs in', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Queued one');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await page.context().setOffline(true);
  await submit(page);
  await page.getByRole('button', { name: 'Record Another' }).click();
  await page.getByLabel('Title').fill('Being sung');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.context().clearCookies();
  const found401 = page.waitForResponse((answer) => answer.status() === 401);
  await page.context().setOffline(false);
  await found401;
  await page.waitForTimeout(1_500);
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await stop(page);
  await page.waitForURL('**/auth**');
  await page.request.post('/api/login', { data: { username: student.username, password: student.password } });
  await page.goto('/submit');
  await expect(found(page)).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Being sung');
});

test('where the device keeps nothing, a recording is not sent in the name of who signs in next', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const other = await world.student();
  const page = await signedIn(student);
  await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  await record(page, 'In this page only');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  const signIn = ({ username, password }: Student) =>
    page.request.post('/api/login', { data: { username, password } });
  await signIn(other);
  await submit(page);
  await expect(page.getByText(/Somebody else is signed in on this device now/)).toBeVisible();
  expect([await titlesOf(world, student), await titlesOf(world, other)]).toEqual([[], []]);
  // Signed out altogether, the page stays with what is only in it.
  await page.context().clearCookies();
  await submit(page);
  await expect(page.getByText(/You are signed out/)).toBeVisible();
  await page.waitForTimeout(1_500);
  await signIn(student);
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['In this page only']);
});

test('a network that answers everything itself takes no recording from the device', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Behind a sign-in page');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  await page.route('**/api/recordings', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 200, body: '' }) : route.continue(),
  );
  await submit(page);
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  expect(await titlesOf(world, student)).toEqual([]);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Behind a sign-in page']);
});

test('what is discarded while the server is making a recording of it may have arrived, and becomes no second one', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await record(page, 'Two windows');
  await stop(page);
  await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
  const second = await page.context().newPage();
  let isMade = () => {};
  const made = new Promise<void>((resolve) => (isMade = resolve));
  let loseAnswer = () => {};
  const lost = new Promise<void>((resolve) => (loseAnswer = resolve));
  await page.route('**/api/recordings', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    isMade();
    await lost;
    await route.abort().catch(() => undefined);
  });
  await submit(page);
  await made;
  await second.goto('/submit');
  await second
    .getByRole('region', { name: 'On its way to the teacher' })
    .getByRole('button', { name: 'Discard' })
    .click();
  await expect(second.getByRole('alertdialog')).toContainText('It may have reached the teacher already.');
  await second.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('It may have reached the teacher already', { exact: true })).toBeVisible();
  loseAnswer();
  await second.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await submit(page);
  await expect(submitted(page)).toBeVisible();
  expect(await titlesOf(world, student)).toEqual(['Two windows']);
});
