import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '#testing/client.ts';
import type { Community, Person } from './harness/community.ts';

// A stranger with a whole IPv6 /56 guesses at a student's password and at sign-in codes. Meanwhile that student signs in
// on new devices in other networks, by password and by code, and in the stranger's own network after a reset.

const GUESSERS = 32;
/** More than any limit on a name or on codes, half of them each. */
const ENOUGH_GUESSES = 800;

const SIGN_INS_AFTER_RESET = 12;

/** A user makes at most 60 codes an hour. */
const MAX_ROUNDS = 50;

type Owner = Person & { email: string };

/** @returns what went wrong */
export async function lockOut(community: Community, dataDir: string, forMs: number): Promise<string[]> {
  const attack = new AbortController();
  try {
    const owner = await newOwner(community);
    const atHome = await community.as(owner);
    const guesses = { made: 0 };
    for (let at = 0; at < GUESSERS; at += 1) void guess(community.url, owner, guesses, attack.signal);
    while (guesses.made < ENOUGH_GUESSES) await wait(100);
    return [
      ...(await signInElsewhere(community.url, owner, atHome, forMs)),
      ...(await signInAfterReset(community.url, dataDir, owner)),
    ];
  } finally {
    attack.abort();
  }
}

async function newOwner(community: Community): Promise<Owner> {
  const person = await community.newStudent();
  const { body } = await (await community.as(person)).get('/api/user');
  return { ...person, email: body.email as string };
}

async function guess(url: string, { username }: Person, guesses: { made: number }, signal: AbortSignal) {
  for (let at = 0; !signal.aborted; at += 1) {
    const guesser = clientAt(url, addressIn56());
    const body = at % 2 ? { username, password: `guess ${at}` } : { kind: 'code', token: '00000000' };
    const path = at % 2 ? '/api/login' : '/api/sign-in/one-time';
    await guesser.post(path, body, { signal }).then(
      () => (guesses.made += 1),
      () => wait(50),
    );
  }
}

async function signInElsewhere(url: string, owner: Owner, atHome: Client, forMs: number): Promise<string[]> {
  const { username, password } = owner;
  const passed = { password: 0, code: 0 };
  let rounds = 0;
  for (
    const until = performance.now() + forMs;
    performance.now() < until && rounds < MAX_ROUNDS;
    rounds += 1
  ) {
    const isIn = async (path: string, body: object) => {
      const device = clientAt(url, `2001:db8:beef:${rounds.toString(16)}::1`);
      const { status } = await device.post(path, body);
      // A user has 20 sessions; one more would end the one that makes the codes.
      await device.post('/api/logout');
      return status === 200;
    };
    if (await isIn('/api/login', { username, password })) passed.password += 1;
    const token = await newCode(atHome);
    if (await isIn('/api/sign-in/one-time', { kind: 'code', token })) passed.code += 1;
    await wait(100);
  }
  return Object.entries(passed)
    .filter(([, times]) => times < rounds)
    .map(([way, times]) => `the right ${way} passed ${times} of ${rounds} times`);
}

async function newCode(atHome: Client): Promise<string> {
  const { body } = await atHome.post('/api/user/sign-in-codes');
  return body.code as string;
}

async function signInAfterReset(url: string, dataDir: string, { username, email }: Owner): Promise<string[]> {
  const browser = clientAt(url, addressIn56());
  const newPassword = 'a-lotus-of-my-own';
  await clientAt(url, '192.0.2.1').post('/api/password-reset/request', { email });
  const token = await resetToken(join(dataDir, 'outbox'));
  await browser.post('/api/password-reset/confirm', { token, newPassword });
  let passed = 0;
  for (let at = 0; at < SIGN_INS_AFTER_RESET; at += 1) {
    const { status } = await browser.post('/api/login', { username, password: newPassword });
    if (status === 200) passed += 1;
  }
  return passed === SIGN_INS_AFTER_RESET
    ? []
    : [`after a reset, the right password passed ${passed} of ${SIGN_INS_AFTER_RESET} times`];
}

/** From the emails that are kept as files where there is no mail server. */
async function resetToken(outbox: string): Promise<string> {
  for (const until = performance.now() + 20_000; performance.now() < until; await wait(200)) {
    for (const name of await readdir(outbox).catch(() => [])) {
      // Quoted-printable.
      const text = (await readFile(join(outbox, name), 'utf8'))
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      const token = /reset-password\?token=([\w-]+)/.exec(text)?.[1];
      if (token) return token;
    }
  }
  throw new Error('No reset link was mailed.');
}

function clientAt(url: string, address: string): Client {
  const client = new Client(url);
  client.headers['x-forwarded-for'] = address;
  return client;
}

/** In one of the 256 networks of a /56. */
const addressIn56 = () => `2001:db8:bad:${(0x400 + Math.floor(Math.random() * 256)).toString(16)}::1`;
