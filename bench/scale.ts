import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { allEndpoints } from '../src/api.ts';
import { openDatabase } from '../src/db/database.ts';
import { foldSome } from '../src/features/users/server/store.ts';
import { connectionToRunning } from '../src/platform/server/embedded-postgres/connection.ts';
import { newDataFolder, startProgram, type Program } from '../src/testing/program.ts';
import { CALLERS, idOf, seed, SIZES, type Sessions } from './community.ts';
import { load, quantile, type Ask } from './load.ts';
import { cpuMsOfAll } from './process-usage.ts';

/**
 * Measures every GET with a small and with a large community, in the same run: its CPU time in all processes, and what
 * it sends. The small one fills the first page of every list, and the callers have the same in both, so what grows is
 * what a caller cannot see. For what costs more than it may, the plans of its statements are printed.
 */
const REQUESTS = 240;
const ROUNDS = 3;
const AT_ONCE = 8;

/**
 * Times the CPU time with the small community; what one call sends, compressed as for a browser; and times the p99 of
 * the teacher's whole library, with the large community.
 */
const bounds = { cpu: 2, bytes: 200 * 1024, p99: 3 };

/** What a call cannot do without. */
const QUERIES: Record<string, string> = { '/api/student/recordings/count': '?melodyId=1' };

/** May cost as much as 2,000 melodies do: no page requests it if the texts are long (docs/decisions/023). */
const WHOLE_LIBRARY = '/api/melodies';

/** Says how many there are, which are a hundred thousand: counting them is most of what it costs. */
const COUNTS_ALL = '/api/admin/feedback';

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const only = process.argv[2];

type Community = { program: Program; client: pg.Client; sessions: Sessions; remove(): Promise<void> };
type Cost = { ms: number; bytes: number; p99: number };

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
const communities = { small: await makeCommunity('small'), large: await makeCommunity('large') };
let isWithin = true;
try {
  const list = await costOf('large', WHOLE_LIBRARY, 'admin');
  for (const { path, role } of calls()) {
    const cost = { small: await costOf('small', path, role), large: await costOf('large', path, role) };
    const ratio = cost.large.ms / cost.small.ms;
    const late = cost.large.p99 / list.p99;
    const isSmall = ratio <= bounds.cpu && cost.large.bytes <= bounds.bytes;
    const holds = (late <= bounds.p99 || path === COUNTS_ALL) && (isSmall || path === WHOLE_LIBRARY);
    if (!holds) isWithin = false;
    console.log(
      `${holds ? 'holds' : 'FAILS'}  ${role.padEnd(7)} ${path.padEnd(52)} ${ratio.toFixed(2).padStart(6)} times ` +
        `(${cost.small.ms.toFixed(2)} → ${cost.large.ms.toFixed(2)} ms of CPU), ` +
        `${(cost.large.bytes / 1024).toFixed(1)} KiB, p99 ${late.toFixed(2)} times the library’s`,
    );
    if (!holds) console.log(await plansOf(path, role));
  }
} finally {
  for (const { program, client, remove } of Object.values(communities)) {
    await client.end();
    await program.end();
    await remove();
  }
}
process.exitCode = isWithin ? 0 : 1;

/** Every GET that answers JSON, as each role that may call it. */
function calls() {
  const found = allEndpoints.flatMap(({ method, path, access, raw, staysOpen }) => {
    if (method !== 'GET' || raw !== undefined || staysOpen || access === 'public') return [];
    const roles = access === 'signed-in' ? (['student', 'admin'] as const) : ([access] as const);
    return roles.map((role) => ({ path: path + (QUERIES[path] ?? ''), role }));
  });
  const more = (['student', 'admin'] as const).map((role) => ({ path: '/api/melodies?view=card', role }));
  // A word that all have, and one that a single user has in both communities.
  const searches = ['tashi', 'student299'].map((q) => ({
    path: `/api/admin/users?q=${q}`,
    role: 'admin' as const,
  }));
  return [...found, ...more, ...searches].filter(({ path }) => only === undefined || path.includes(only));
}

async function costOf(size: keyof typeof SIZES, path: string, role: keyof Sessions): Promise<Cost> {
  const { program, sessions } = communities[size];
  const ask = (index: number): Ask => ({
    path: withIds(path, index % CALLERS),
    headers: { ...BROWSER, cookie: `session=${sessions[role][index % CALLERS]}` },
  });
  await load(program.url, { atOnce: AT_ONCE, count: CALLERS * 4, status: 200 }, ask);
  let ms = Infinity;
  let p99 = Infinity;
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await cpuMsOfAll(program);
    const answers = await load(program.url, { atOnce: AT_ONCE, count: REQUESTS, status: 200 }, ask);
    ms = Math.min(ms, ((await cpuMsOfAll(program)) - before) / REQUESTS);
    p99 = Math.min(p99, quantile(answers, 0.99));
    bytes = Math.max(...answers.map((answer) => answer.bytes));
  }
  return { ms, p99, bytes };
}

/** Of something of the caller's: the ids are those that `seed` gives. No file is being examined. */
function withIds(path: string, caller: number): string {
  return path.replace('{id}', idIn(path, caller)).replace('{clientId}', randomUUID());
}

function idIn(path: string, caller: number): string {
  if (path.includes('/users/')) return idOf('student', caller);
  if (path.includes('/recordings/')) return String(caller + 1);
  return '1';
}

/** The plans of the statements that a call runs in the large community, by the database's own log. */
async function plansOf(path: string, role: keyof Sessions): Promise<string> {
  const { program, client, sessions } = communities.large;
  await client.query(`alter system set auto_explain.log_min_duration = '3ms'`);
  await client.query('select pg_reload_conf()');
  const log = join(program.dataDir, 'postgres.log');
  const before = (await readFile(log, 'utf8')).length;
  const headers = { cookie: `session=${sessions[role][0]}` };
  await load(program.url, { atOnce: 1, count: 3, status: 200 }, () => ({
    path: withIds(path, 0),
    headers,
  }));
  await client.query('alter system reset auto_explain.log_min_duration');
  await client.query('select pg_reload_conf()');
  return (await readFile(log, 'utf8')).slice(before).slice(0, 6_000);
}

async function makeCommunity(size: keyof typeof SIZES): Promise<Community> {
  const { dataDir, remove } = await newDataFolder();
  const environment = { ADMIN_PASSWORD: 'teacher-pass' };
  const program = await startProgram({ dataDir, environment });
  const client = new pg.Client((await connectionToRunning(dataDir))!);
  await client.connect();
  const sessions = await seed(client, SIZES[size]);
  // As at a start: names are folded by the program.
  const database = openDatabase((await connectionToRunning(dataDir))!, () => undefined);
  while ((await foldSome(database.db)) > 0);
  await database.close();
  await client.query(`alter database yangchen set session_preload_libraries = 'auto_explain'`);
  await client.query(`alter database yangchen set auto_explain.log_analyze = on`);
  await client.query('vacuum analyze');
  // The program's connections load it when they are opened.
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return { program, client, sessions, remove };
}
