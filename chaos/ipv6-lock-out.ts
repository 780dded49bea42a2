import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TestClient } from '#testing/client.ts';
import type { RunningCommunity } from '#testing/community.ts';

// A stranger who controls a whole IPv6 /56 guesses a student's password and sign-in codes. At the same time,
// the student must be able to sign in: on new devices in other networks (with a password and with a code),
// and in the stranger's own network after a password reset.

const GUESSERS = 32;
/**
 * Number of guesses before the student signs in: half are passwords and half are codes. Exceeds every rate
 * limit for both.
 */
const ENOUGH_GUESSES = 800;
const SIGN_INS_AFTER_RESET = 12;
/** Maximum number of rounds. A user can create at most 60 codes an hour. */
const MAX_ROUNDS = 50;

/** @returns what went wrong */
export async function runIpv6LockOutAttack(
  { url, dataDir, newStudent, as }: RunningCommunity,
  forMs: number,
) {
  const owner = await newStudent();
  const atHome = await as(owner);
  const { username } = owner;
  const failed: string[] = [];
  const expectIn = async (what: string, client: TestClient, path: string, body: object) => {
    const { status } = await client.post(path, body);
    if (status !== 200) failed.push(`${what} was answered with ${status}`);
    // Signs out, because a user can have only 20 sessions: more sign-ins would end the session that creates
    // codes.
    await client.post('/api/logout');
  };

  const attack = new AbortController();
  let guesses = 0;
  const guess = async () => {
    for (let at = 0; !attack.signal.aborted; at += 1) {
      const [path, body] =
        at % 2 === 0
          ? ['/api/sign-in/one-time', { kind: 'code', token: '00000000' }]
          : ['/api/login', { username, password: `guess ${at}` }];
      await createClientAt(url, createAddressIn56())
        .post(path, body, attack)
        .then(() => (guesses += 1))
        .catch(() => wait(50));
    }
  };
  const guessing = Array.from({ length: GUESSERS }, guess);
  try {
    while (guesses < ENOUGH_GUESSES) await wait(100);
    const until = performance.now() + forMs;
    for (let round = 0; performance.now() < until && round < MAX_ROUNDS; round += 1) {
      const device = createClientAt(url, `2001:db8:beef:${round.toString(16)}::1`);
      await expectIn('the right password', device, '/api/login', owner);
      const token = (await atHome.post('/api/user/sign-in-codes')).body.code as string;
      await expectIn('a right code', device, '/api/sign-in/one-time', { kind: 'code', token });
      await wait(100);
    }

    const browser = createClientAt(url, createAddressIn56());
    const { email } = (await atHome.get('/api/user')).body as { email: string };
    await createClientAt(url, '192.0.2.1').post('/api/password-reset/request', { email });
    const token = await findResetToken(join(dataDir, 'outbox'));
    const password = 'a-lotus-of-my-own';
    await browser.post('/api/password-reset/confirm', { token, newPassword: password });
    for (let at = 0; at < SIGN_INS_AFTER_RESET; at += 1)
      await expectIn('the right password after a reset', browser, '/api/login', { username, password });
    return failed;
  } finally {
    attack.abort();
    await Promise.all(guessing);
  }
}

/** Finds the reset token in the emails, which are stored as files because there is no mail server. */
async function findResetToken(outbox: string): Promise<string> {
  for (const until = performance.now() + 20_000; performance.now() < until; await wait(200)) {
    for (const name of await readdir(outbox).catch(() => [])) {
      const quotedPrintable = await readFile(join(outbox, name), 'utf8');
      const text = quotedPrintable.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
      const token = /reset-password\?token=([\w-]+)/.exec(text)?.[1];
      if (token) return token;
    }
  }
  throw new Error('No reset link was mailed.');
}

function createClientAt(url: string, address: string): TestClient {
  const client = new TestClient(url);
  client.headers['x-forwarded-for'] = address;
  return client;
}

/** Returns an IPv6 address in one of the 256 networks of a /56. */
const createAddressIn56 = () => `2001:db8:bad:${(0x400 + Math.floor(Math.random() * 256)).toString(16)}::1`;
