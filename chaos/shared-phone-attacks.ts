import type { Page } from '@playwright/test';
import { setTimeout as wait } from 'node:timers/promises';
import type { TestClient } from '#testing/client.ts';
import type { Community, TestCredentials } from '#testing/community.ts';
import { createTone } from '#testing/tone.ts';
import { createDevice, type Device } from './harness/device.ts';
import { chooseSubmissionFile, countTakesAndChunksOnDevice, signIn } from './harness/submit-page.ts';

// Two people use one phone. The first has saved a melody to which the second has no access, and in one attack
// also leaves an unsent recording. Each attack returns what went wrong: what the second person got, and what
// the first lost.

/** The first person's phone. */
type Phone = {
  device: Device;
  page: Page;
  first: TestCredentials & { email: string };
  second: TestCredentials & { id: string };
  melody: { title: string; audioUrl: string };
};

const TIMEOUT_MS = 20_000;
const SECRET = 'Of the first alone';

const ATTEMPTS = {
  'signing out without a connection': async (phone, community) => {
    const { device, first, second } = phone;
    let { page } = phone;
    const harm: string[] = [];
    const otherTab = await page.context().newPage();
    await otherTab.goto('/past-recordings');
    await page.bringToFront();
    const stolen = await readSession(page);
    await submitOffline(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await waitUntilShown(page, SIGN_IN);
    await waitUntilShown(otherTab, SIGN_IN);
    harm.push(...(await findSecrets(page, phone)), ...(await findSecrets(otherTab, phone)));
    for (const path of ['/melodies', '/past-recordings', '/submit']) {
      await page.goto(path);
      // The device doesn't store that nobody is signed in, so offline the page may offer only “Try again”.
      await page
        .getByRole(SIGN_IN.role, SIGN_IN)
        .or(page.getByRole('button', { name: 'Try again' }))
        .waitFor({ timeout: TIMEOUT_MS });
      harm.push(...(await findSecrets(page, phone)));
    }
    harm.push(...(await playSecret(page, phone)));

    // Restarts the browser with a connection, as if the phone had been off overnight.
    page = await device.open();
    await page.goto('/past-recordings');
    await waitUntilShown(page, SIGN_IN);
    harm.push(...(await findSecrets(page, phone)), ...(await playSecret(page, phone)));
    if ((await fetchStatus(community, stolen)) !== 401) harm.push('the session still works');
    await page.getByLabel('Username').fill(second.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(second.password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await waitUntilShown(page, SIGNED_IN);
    // Waits for the code that sends stored recordings, which starts two seconds after the page has loaded.
    await wait(4_000);
    for (const person of [first, second])
      if ((await countRecordings(community, person)) > 0) harm.push('a recording was sent without its user');

    await page.getByRole('button', { name: 'Sign Out' }).click();
    await waitUntilShown(page, SIGN_IN);
    await signIn(page, first);
    await page.goto('/');
    const arrived = async () => (await countRecordings(community, first)) === 1;
    if (!(await pollUntil(arrived))) harm.push('the waiting recording is lost');
    return harm;
  },

  'signing in by a code': async ({ page, second, melody }, { teacher }) => {
    const { body } = await teacher.post(`/api/admin/users/${second.id}/sign-in-codes`);
    // Makes both requests in a single call, so that no page loads in between.
    const status = await page.evaluate(
      async ({ token, file }) => {
        const signedIn = await fetch('/api/sign-in/one-time', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ kind: 'code', token }),
        });
        if (!signedIn.ok) throw new Error(`The code was answered with ${signedIn.status}`);
        return (await fetch(file)).status;
      },
      { token: body.code as string, file: getSoundPath(melody) },
    );
    return [
      ...describeHarm(status),
      ...(await listSavedMelodies(page)).map((what) => `still saved: ${what}`),
    ];
  },

  'signing in unseen by the service worker': async (phone) => {
    const { page, second } = phone;
    // Blocks the list of the melodies that this user may store, so that the first person's melodies stay on
    // the device.
    await page.context().route('**/api/pack?*', (route) => route.abort());
    await signIn(page, second);
    await page.goto('/melodies');
    await waitUntilShown(page, SIGNED_IN);
    const sound = await playSecret(page, phone);
    // Waits until the page's script has replaced the previous user's name.
    await pollUntil(async () => (await findSecrets(page, phone)).length === 0);
    return [...(await findSecrets(page, phone)), ...sound];
  },

  'a link to /api/logout on another site': async ({ page }, { url }) => {
    const link = `<a href="${url}/api/logout">A picture of the retreat</a>`;
    await page
      .context()
      .route('http://elsewhere.example/', (route) => route.fulfill({ contentType: 'text/html', body: link }));
    await page.goto('http://elsewhere.example/');
    await page.getByRole('link').click();
    await waitUntilShown(page, SIGNED_IN);
    await page.context().setOffline(true);
    await page.goto('/melodies');
    const isThere = await pollUntil(() => page.getByText(SECRET).first().isVisible());
    await page.context().setOffline(false);
    return isThere ? [] : ['the saved melody is lost'];
  },

  'a sound that was shared while signed out': async ({ page, second }) => {
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await waitUntilShown(page, SIGN_IN);
    await page.evaluate(shareSound);
    await page.waitForURL(/\/submit\?shared/);
    await waitUntilShown(page, SIGN_IN);
    await signIn(page, second);
    await page.goto('/submit?shared=kept');
    await page.getByText('The audio didn’t arrive').first().waitFor({ timeout: TIMEOUT_MS });
    const isThere = await page.getByText('secret.wav').first().isVisible();
    return isThere ? ['the shared sound is in the form of the second'] : [];
  },
} satisfies Record<string, (phone: Phone, community: Community) => Promise<string[]>>;

export type SharedPhoneAttack = keyof typeof ATTEMPTS;
export const SHARED_PHONE_ATTACKS = Object.keys(ATTEMPTS) as SharedPhoneAttack[];

/**
 * Runs the given attacks one after the other on the same phone. All but the last must leave the first person
 * signed in.
 * @returns what went wrong; empty if the second person obtained nothing and the first lost nothing
 */
export async function runSharedPhoneAttacks(
  attempts: readonly SharedPhoneAttack[],
  community: Community,
): Promise<string[]> {
  const phone = await setUpPhone(community);
  try {
    const harm: string[] = [];
    for (const attempt of attempts) harm.push(...(await ATTEMPTS[attempt](phone, community)));
    return harm;
  } finally {
    await phone.device.remove();
  }
}

async function setUpPhone(community: Community): Promise<Phone> {
  const { teacher } = community;
  const level = await parseCreated(
    teacher.post('/api/admin/transmission-levels', { name: `Level ${crypto.randomUUID().slice(0, 8)}` }),
  );
  const audioFile = { bytes: createTone(4, 220, 32_000), name: 'song.wav', type: 'audio/wav' };
  const melody = await community.addMelody({
    ...{ title: SECRET, transmissionLevelId: level.id as number },
    audioFile,
  });
  const [first, second] = [await community.newStudent(), await community.newStudent()];
  const [firstUser, secondUser] = [await fetchUser(community, first), await fetchUser(community, second)];
  await parseCreated(
    teacher.post(`/api/admin/users/${firstUser.id}/transmission-access`, { transmissionLevelId: level.id }),
  );
  const device = await createDevice(community.url);
  const page = await device.open();
  await signIn(page, first);
  await page.goto('/melodies');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.getByRole('button', { name: `Save for offline: ${SECRET}` }).click();
  await page.getByText('Saved on this device', { exact: true }).waitFor({ timeout: TIMEOUT_MS });
  return {
    device,
    page,
    first: { ...first, email: firstUser.email },
    second: { ...second, id: secondUser.id },
    melody: { title: SECRET, audioUrl: melody.audioUrl },
  };
}

async function parseCreated(reply: ReturnType<TestClient['post']>): Promise<Record<string, unknown>> {
  const { status, body } = await reply;
  if (status !== 201) throw new Error(`Preparing was answered with ${status}`);
  return body as Record<string, unknown>;
}

const fetchUser = async (community: Community, person: TestCredentials) =>
  (await (await community.as(person)).get('/api/user')).body as { id: string; email: string };

const countRecordings = async (community: Community, person: TestCredentials) =>
  ((await (await community.as(person)).get('/api/student/recordings')).body as unknown[]).length;

const SIGN_IN = { role: 'tab', name: 'Sign In' } as const;
const SIGNED_IN = { role: 'button', name: /account/ } as const;

const waitUntilShown = (page: Page, { role, name }: { role: 'tab' | 'button'; name: string | RegExp }) =>
  page.getByRole(role, { name }).first().waitFor({ timeout: TIMEOUT_MS });

/** Submits a recording as the first person while the phone is offline. */
async function submitOffline(page: Page) {
  await chooseSubmissionFile(page, 'Waits', createTone(1));
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  if (!(await pollUntil(async () => (await countTakesAndChunksOnDevice(page)).takes === 1)))
    throw new Error('Nothing waits');
}

async function readSession(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === 'session')!.value;
}

async function fetchStatus({ url }: Community, session: string): Promise<number> {
  return (await fetch(`${url}/api/user`, { headers: { cookie: `session=${session}` } })).status;
}

/** Returns those secrets of the first person that appear in the page or in stored text. */
async function findSecrets(page: Page, { first, melody }: Phone): Promise<string[]> {
  const text = await page.evaluate(async () => {
    const texts = [
      document.documentElement.outerHTML,
      JSON.stringify({ ...localStorage, ...sessionStorage }),
    ];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = (await cache.match(request))!;
        if (/html|json/.test(answer.headers.get('content-type') ?? '')) texts.push(await answer.text());
      }
    }
    return texts.join('\n');
  });
  return [first.username, first.email, melody.title].filter((secret) => text.includes(secret));
}

const getSoundPath = ({ audioUrl }: Phone['melody']) => `/api/files/${audioUrl}?type=audio`;

async function playSecret(page: Page, { melody }: Phone): Promise<string[]> {
  const status = await page.evaluate(
    (file) =>
      fetch(file).then(
        ({ status }) => status,
        () => 0,
      ),
    getSoundPath(melody),
  );
  return describeHarm(status);
}

const describeHarm = (status: number) => (status === 200 || status === 206 ? ['the sound'] : []);

/** Returns the ids of the melodies saved on the device. */
const listSavedMelodies = (page: Page) =>
  page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'pack')) return [];
    const db = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('pack');
      opening.onsuccess = () => resolve(opening.result);
    });
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const asking = db.transaction('entries').objectStore('entries').getAllKeys();
      asking.onsuccess = () => resolve(asking.result);
    });
    db.close();
    return keys.map(String);
  });

/** Posts an audio file as the operating system does when another app shares it. Runs in the page. */
function shareSound() {
  const chosen = new DataTransfer();
  chosen.items.add(new File([new Uint8Array(2_000)], 'secret.wav', { type: 'audio/wav' }));
  const form = document.createElement('form');
  Object.assign(form, { method: 'POST', action: '/submit', enctype: 'multipart/form-data' });
  const field = Object.assign(document.createElement('input'), { type: 'file', name: 'sound' });
  field.files = chosen.files;
  form.append(field);
  document.body.append(form);
  form.submit();
}

async function pollUntil(isSo: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    if (await isSo().catch(() => false)) return true;
    await wait(200);
  }
  return false;
}
