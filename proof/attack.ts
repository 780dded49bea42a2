import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { connectionToRunning } from '../src/platform/server/embedded-postgres/connection.ts';
import { Client } from '../src/testing/client.ts';
import { newDataFolder, startProgram, type Program } from '../src/testing/program.ts';
import { tone } from '../src/testing/tone.ts';
import { ATTACKS, type Attack, type AttackInput } from './attacks/attacks.ts';
import { takeOver } from './attacks/takeover.ts';
import { communityAt, TEACHER } from './community.ts';
import { proveNoLockOut } from './ipv6-lock-out.ts';
import { deedsOf, waitsOf, type Deed, type Waits } from './third-person.ts';
import { ATTEMPT_NAMES, proveTwoPeople } from './two-people.ts';

// Proves what one person cannot do to others: npm run proof:attack -- [--seconds=10] [--only=…]
// Taking over: whoever has the teacher's cookie alone tries to keep her account, and nothing of it works.
// Two people on one phone: the second gets nothing of the first, and the first loses nothing.
// Locking out: guesses from a whole IPv6 network keep no owner out.
// Starving: while one student, or a stranger, does everything an attacker can, another student and the teacher go on.
// Bounds: their responses arrive within a second and within five times what they take on the idle server of the same
// run.

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const forMs = Number(values.seconds) * 1000;
const TAKEOVER = 'takeover by session alone';
const takesOver = !values.only || values.only === TAKEOVER;
const attempts = ATTEMPT_NAMES.filter((each) => !values.only || each === values.only);
const IPV6_LOCK_OUT = 'guesses from an IPv6 /56';
const locksOut = !values.only || values.only === IPV6_LOCK_OUT;
const attacks = (Object.keys(ATTACKS) as Attack[]).filter((each) => !values.only || each === values.only);

const MELODIES = 400;
const WORST_P99_MS = 1000;
const WORST_RATIO = 5;

const { dataDir, remove } = await newDataFolder();
const program = await startProgram({ dataDir, environment: { ADMIN_PASSWORD: TEACHER.password } });
try {
  const holds = [
    takesOver ? await proveNoTakeover(program) : true,
    attempts.length > 0 ? await proveApart(program) : true,
    locksOut ? await proveOwnerGetsIn() : true,
    attacks.length > 0 ? await prove(program) : true,
  ];
  process.exitCode = holds.every(Boolean) ? 0 : 1;
} finally {
  await program.end();
  await remove();
}

async function proveOwnerGetsIn(): Promise<boolean> {
  const found = await proveNoLockOut(forMs);
  console.log(`${IPV6_LOCK_OUT}: ${found.join('; ') || 'the owner gets in each time'}`);
  return found.length === 0;
}

async function proveNoTakeover({ url }: Program): Promise<boolean> {
  const community = await communityAt(url);
  const teacher = await community.as(TEACHER);
  const { username } = await community.newStudent();
  const users = (await teacher.get('/api/admin/users')).body as { id: string; username: string }[];
  // As it is five minutes later.
  const database = new pg.Client((await connectionToRunning(dataDir))!);
  await database.connect();
  await database.query("update sessions set proved_at = proved_at - interval '5 minutes'");
  await database.end();
  const tries = await takeOver({
    ...{ url, cookie: teacher.cookies.get('session')!, device: teacher.cookies.get('device')! },
    teacher: { ...TEACHER, email: (await teacher.get('/api/user')).body.email as string },
    studentId: users.find((user) => user.username === username)!.id,
  });
  console.table(tries);
  const holds = tries.every(({ hasWorked }) => !hasWorked);
  console.log(holds ? 'Nobody takes over an account.' : 'An account CAN be taken over.');
  return holds;
}

async function proveApart({ url }: Program): Promise<boolean> {
  const community = await communityAt(url);
  const rows = [];
  for (const attempt of attempts) {
    const teacher = await community.as(TEACHER);
    const found = await proveTwoPeople(attempt, { community, teacher });
    const wrong = found.join(', ');
    rows.push({ 'two people on one phone': attempt, 'went wrong': wrong, holds: wrong === '' });
  }
  console.table(rows);
  const holds = rows.every((row) => row.holds);
  console.log(holds ? 'Two people on one phone stay apart.' : 'Two people on one phone do NOT stay apart.');
  return holds;
}

async function prove({ url, child }: Program): Promise<boolean> {
  const community = await communityAt(url);
  const teacher = await community.as(TEACHER);
  const melody = await library(teacher);
  const student = await community.as(await community.newStudent());
  const attacker = await community.newStudent();
  const session = (await community.as(attacker)).cookies.get('session')!;
  const given: AttackInput = { url, cookie: session, ...attacker, file: melody.audioUrl };

  const deeds = deedsOf(student, melody);
  const signIn: Deed[] = [
    // Each time from scratch, on a known device.
    async (signal) => {
      const browser = new Client(url);
      browser.cookies.set('device', teacher.cookies.get('device')!);
      return (await browser.post('/api/login', TEACHER, { signal })).status;
    },
  ];
  // Warm-up requests are not measured.
  await waitsOf([...deeds, ...signIn], 2000);
  const quiet = { deeds: await waitsOf(deeds, forMs), signIn: await waitsOf(signIn, forMs / 3) };
  console.log(`Quiet: ${told(quiet.deeds)}; signing in: ${told(quiet.signIn)}`);

  const rows = [];
  for (const attack of attacks) {
    const { counts, end } = await begin(attack, given);
    const under = { deeds: await waitsOf(deeds, forMs), signIn: await waitsOf(signIn, forMs / 3) };
    const mebibytes = await memoryOf(child.pid!);
    const answers = await counts();
    await end();
    // What is still in flight ends before the next begins.
    await waitsOf(deeds, 2000);
    rows.push(rowOf(attack, 'answers', quiet.deeds, under.deeds, mebibytes, answers));
    rows.push(rowOf(attack, 'signing in', quiet.signIn, under.signIn, mebibytes, answers));
  }
  console.table(rows);
  const held = rows.every(({ holds }) => holds);
  console.log(held ? 'Every bound holds.' : 'NOT every bound holds.');
  return held && child.exitCode === null;
}

function rowOf(attack: Attack, what: string, quiet: Waits, under: Waits, mebibytes: number, answers: object) {
  const ratio = under.p99 / quiet.p99;
  return {
    attack,
    what,
    'p50 (ms)': Math.round(under.p50),
    'p99 (ms)': Math.round(under.p99),
    'p99, times the quiet one': Number(ratio.toFixed(1)),
    'no answer, or an error': under.failures,
    'memory (MiB)': mebibytes,
    'the attacker heard': Object.entries(answers)
      .map(([status, count]) => `${count}× ${status}`)
      .join(', '),
    holds: under.failures === 0 && under.p99 <= WORST_P99_MS && ratio <= WORST_RATIO,
  };
}

function told({ p50, p99, answers }: Waits) {
  return `${answers} answers, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}

/** A library in which a search has something to do, and one long file. */
async function library(teacher: Client): Promise<{ id: number; audioUrl: string }> {
  const [level] = (await teacher.get('/api/admin/transmission-levels')).body as { id: number }[];
  const transmissionLevelId = level!.id;
  const line = (at: number) => `om mani padme hum w${at % 7} བླ་མ་མཁྱེན་ནོ་ ${at}\n`;
  for (let at = 0; at < MELODIES; at += 1) {
    const melodyText = Array.from({ length: 30 }, (_, row) => line(at * row)).join('');
    const parts = { title: `Song ${at}`, melodyText, transmissionLevelId };
    const { status } = await teacher.form('/api/melodies', parts);
    if (status !== 201) throw new Error(`A melody was answered with ${status}`);
  }
  const audioFile = { bytes: tone(600, 220, 48_000), name: 'long.wav', type: 'audio/wav' };
  const { status, body } = await teacher.form('/api/melodies', {
    title: 'Long',
    transmissionLevelId,
    audioFile,
  });
  if (status !== 201) throw new Error(`The long melody was answered with ${status}`);
  return body as { id: number; audioUrl: string };
}

/** In a process with lower priority than the server's: a real attacker uses another machine. */
async function begin(attack: Attack, given: AttackInput) {
  const attacker = fork(new URL('./attacks/attacker.ts', import.meta.url), [attack, JSON.stringify(given)]);
  setPriority(attacker.pid!, constants.priority.PRIORITY_LOW);
  await once(attacker, 'message');
  return {
    /** Responses that the attacker has received so far. */
    counts: async () => {
      attacker.send('counts');
      const [counts] = (await once(attacker, 'message')) as [Record<string, number>];
      return counts;
    },
    end: async () => {
      attacker.kill('SIGKILL');
      await once(attacker, 'exit');
    },
  };
}

/** Resident memory of a process, in MiB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
