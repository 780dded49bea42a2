import { execFileSync } from 'node:child_process';
import { median } from '../e2e/sound.ts';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram } from '../src/testing/program.ts';

/**
 * Measures whether response times reveal who has an account: signing in with a wrong password, and requesting a reset
 * link, with names and emails that exist and some that don't. They are sent in pairs of one each, in alternating order,
 * so that whatever else the machine does affects both alike. Each comes from an address of its own and each name
 * rarely, so that no limit is reached.
 */
const NAMES = 80;
const TRIES_EACH = 4;
/** Warm-up requests of each kind, for the program and its database. */
const WARM_UP = 20;
const PASSWORD = 'teacher-pass';

/** The number of quantile bins in which the overlap of the two is computed. */
const SLICES = 10;

/** Beyond this, an attacker who measures would learn something. Chance alone exceeds it in 1 of 1,000 runs. */
const bounds = { isSlower: 0.6 };

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: 'inherit' });
const { dataDir, remove } = await newDataFolder();
// Behind a proxy, so that client addresses can be made up.
const environment = { ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: '1' };
const program = await startProgram({ dataDir, environment });
let isWithin = true;
let addresses = 0;
try {
  const known = await makeStudents();
  const unknown = known.map((email) => email.replace('known', 'other'));
  console.log(`${NAMES * TRIES_EACH} answers of each kind, in pairs; times in milliseconds`);
  const local = (email: string) => email.split('@')[0]!;
  await measure('sign-in by username', known.map(local), unknown.map(local), signIn);
  await measure('sign-in by email', known, unknown, signIn);
  await measure('request of a reset link', known, unknown, requestReset);
} finally {
  await program.end();
  await remove();
}
process.exitCode = isWithin ? 0 : 1;

async function makeStudents(): Promise<string[]> {
  const teacher = new Client(program.url);
  await teacher.post('/api/login', { username: 'khandro', password: PASSWORD });
  await teacher.post('/api/init');
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const emails = Array.from({ length: NAMES }, (_, i) => `known.${i}@example.org`);
  const invites = emails.map((email) => ({
    email,
    firstName: 'Known',
    lastName: 'Student',
    transmissionLevels: [level!.id],
  }));
  for (let i = 0; i < invites.length; i += 20) {
    const { body } = await teacher.post('/api/admin/invite-users', { invites: invites.slice(i, i + 20) });
    if (body.failureCount !== 0) throw new Error('the students could not be made');
  }
  return emails;
}

type Ask = (name: string, from: string) => Promise<number>;

async function signIn(username: string, from: string) {
  const body = { username, password: 'not-the-password' };
  return timed(401, () => post('/api/login', body, from));
}

async function requestReset(email: string, from: string) {
  return timed(200, () => post('/api/password-reset/request', { email }, from));
}

function post(path: string, body: object, from: string) {
  return new Client(program.url).post(path, body, { headers: { 'x-forwarded-for': from } });
}

async function timed(expected: number, send: () => ReturnType<typeof post>) {
  const begin = performance.now();
  const { status } = await send();
  const took = performance.now() - begin;
  if (status !== expected) throw new Error(`answered ${status} instead of ${expected}`);
  return took;
}

async function measure(what: string, known: string[], unknown: string[], ask: Ask) {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let i = 0; i < WARM_UP; i += 1) await ask(`nobody.${i}@example.org`, nextAddress());
  for (const [at, name] of repeated(known).entries()) {
    const pair = [
      { name, into: times.known },
      { name: unknown[at % unknown.length]!, into: times.unknown },
    ];
    if (Math.random() < 0.5) pair.reverse();
    for (const one of pair) one.into.push(await ask(one.name, nextAddress()));
  }
  report(what, times.known, times.unknown);
}

function report(what: string, known: number[], unknown: number[]) {
  const isSlower = shareThatIsSlower(known, unknown);
  const ok = isSlower <= bounds.isSlower && isSlower >= 1 - bounds.isSlower;
  isWithin &&= ok;
  const line = (name: string, value: string, note = '') =>
    console.log(`  ${name.padEnd(30)} ${value.padStart(8)}  ${note}`);
  console.log(`\n${what}`);
  line('known, median', median(known).toFixed(2));
  line('unknown, median', median(unknown).toFixed(2));
  line('ratio of the medians', (median(known) / median(unknown)).toFixed(3), '1 when alike');
  line(
    'a known one is the slower',
    isSlower.toFixed(3),
    `of pairs; 0.5 when alike, up to ${bounds.isSlower} allowed`,
  );
  line('overlap of the two', overlap(known, unknown).toFixed(3), '1 when alike, 0 when each tells');
  if (!ok) console.log('  THE TIME TELLS');
}

/** In which share of the pairs `a` took longer; ties count half. */
function shareThatIsSlower(a: number[], b: number[]) {
  const scores = a.map((time, at) => (time > b[at]! ? 1 : time === b[at] ? 0.5 : 0));
  return scores.reduce<number>((sum, score) => sum + score, 0) / scores.length;
}

/** The overlap of the two distributions, over quantile bins of the combined times. */
function overlap(a: number[], b: number[]) {
  const all = [...a, ...b].sort((x, y) => x - y);
  const edges = Array.from(
    { length: SLICES - 1 },
    (_, i) => all[Math.floor(((i + 1) * all.length) / SLICES)]!,
  );
  const shares = (times: number[]) => {
    const counts = Array<number>(SLICES).fill(0);
    for (const time of times) counts[edges.filter((edge) => time >= edge).length]! += 1 / times.length;
    return counts;
  };
  const [ofA, ofB] = [shares(a), shares(b)];
  return ofA.reduce((sum, share, i) => sum + Math.min(share, ofB[i]!), 0);
}

function repeated(names: string[]) {
  return Array.from({ length: TRIES_EACH }, () => names).flat();
}

function nextAddress() {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}
