import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { allEndpoints } from '#app/api.ts';
import { openDatabase } from '#server/db/database.ts';
import { backfillMelodySearchColumnsBatch as foldMelodies } from '#features/melodies/server/store.ts';
import { backfillUserSearchColumnsBatch as foldUsers } from '#features/people/users/server/store.ts';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { startCommunity } from '#testing/community.ts';
import { getProgramCpuMs } from '#testing/process-usage.ts';
import {
  SESSIONS_PER_ROLE,
  getSeededUserId,
  seedCommunity,
  COMMUNITY_SIZES,
  type SessionCookiesByRole,
} from './seed.ts';
import {
  BROWSER_ACCEPT_ENCODING_HEADER,
  measureCpuPerItem,
  measureAlternatives,
  runLoadTest,
  getLatencyQuantile,
  reportMeasurement,
} from './harness.ts';

// Measures GET endpoints (see `listCalls`) with a small and with a large community in the same run: the CPU
// time of all processes, the bytes sent and the p99. The small community fills the first page of every list,
// and callers have the same data in both communities, so any growth comes from data that the caller cannot
// see. If the CPU time exceeds its limit, prints the query plans. Then measures searches of the large
// library, compared with a search that finds everything. An argument restricts the run to paths that contain
// the argument.

const REQUESTS = 240;
const ROUNDS = 3;
const CONCURRENCY = 8;

const bounds = {
  /** Maximum CPU time, as a multiple of the CPU time with the small community. */
  cpu: 2,
  /** Maximum size of a response in KiB, compressed as for a browser. */
  kibibytes: 200,
  /** Maximum p99, as a multiple of the p99 of a request for the whole library by the teacher. */
  p99: 3,
};

/**
 * A search for this word finds the whole library. It is the reference for other searches, because the plain
 * list is cached.
 */
const COMMON_WORD = 'melody';

/**
 * Searches of the library. `most` is the maximum CPU time, as a multiple of the CPU time of a search for
 * COMMON_WORD.
 */
const SEARCHES = [
  { what: 'no match', q: 'zhabdrung', most: 0.2 },
  { what: 'one match', q: 'melody 777', most: 0.2 },
  { what: 'one letter', q: 'a', most: 2 },
  { what: 'eight words of all', q: 'sangye cho tsok lama valley teacher blessing morning', most: 3 },
  {
    what: 'ninety-nine words',
    q: Array.from({ length: 99 }, (_, at) => 'abcdefgh'[at % 8]).join(' '),
    most: 3,
  },
];

/** Required query parameters, by path. */
const QUERIES: Record<string, string> = { '/api/student/recordings/count': '?melodyId=1' };

/**
 * Path without limits for CPU time and size, because pages request the whole library only if its texts are
 * short.
 */
const WHOLE_LIBRARY = '/api/melodies';

/** Path without a limit for the p99. It counts 100,000 rows, which is most of its cost. */
const COUNTS_ALL = '/api/admin/feedback';

type Role = keyof SessionCookiesByRole;
type Size = keyof typeof COMMUNITY_SIZES;

const only = process.argv[2] ?? '';

const communities = { small: await createCommunity('small'), large: await createCommunity('large') };
try {
  const library = await measureCost('large', WHOLE_LIBRARY, 'admin');
  for (const { path, role } of listCalls()) {
    const small = await measureCost('small', path, role);
    const large = await measureCost('large', path, role);
    const what = `${role} ${path}`;
    const isExempt = path === WHOLE_LIBRARY;
    const ratio = large.ms / small.ms;
    const more = `${small.ms.toFixed(2)} → ${large.ms.toFixed(2)} ms`;
    reportMeasurement(
      what,
      ratio,
      isExempt ? null : { max: bounds.cpu },
      '× the CPU with a small community',
      more,
    );
    const late = large.p99 / library.p99;
    if (large.bytes > bounds.kibibytes * 1_024 && !isExempt)
      reportMeasurement(what, large.bytes / 1_024, { max: bounds.kibibytes }, 'KiB');
    if (late > bounds.p99 && path !== COUNTS_ALL)
      reportMeasurement(what, late, { max: bounds.p99 }, '× the p99 of the library');
    if (ratio > bounds.cpu && !isExempt) console.log(await readQueryPlans(path, role));
  }
  const search = (q: string) =>
    measureCost('large', `${WHOLE_LIBRARY}?q=${encodeURIComponent(q)}`, 'admin', 24);
  const all = await search(COMMON_WORD);
  for (const { what, q, most } of SEARCHES) {
    const { ms } = await search(q);
    const more = `${ms.toFixed(1)} ms against ${all.ms.toFixed(1)} ms`;
    reportMeasurement(
      `search: ${what}`,
      ms / all.ms,
      { max: most },
      '× the CPU of a search that finds all',
      more,
    );
  }
} finally {
  for (const { client, end } of Object.values(communities)) {
    await client.end();
    await end();
  }
}

/**
 * Returns the requests to measure: every GET endpoint that needs a session and returns JSON, once per role
 * that may call it, and some card views and searches.
 */
function listCalls(): { path: string; role: Role }[] {
  const found = allEndpoints.flatMap(({ method, path, access, raw, staysOpen }) => {
    if (method !== 'GET' || raw !== undefined || staysOpen || access === 'public') return [];
    const roles = access === 'signed-in' ? (['student', 'admin'] as const) : ([access] as const);
    return roles.map((role) => ({ path: path + (QUERIES[path] ?? ''), role }));
  });
  return [
    ...found,
    { path: '/api/melodies?view=card', role: 'student' as const },
    { path: '/api/melodies?view=card', role: 'admin' as const },
    // Searches that find all users, or a single user, in both communities.
    { path: '/api/admin/users?q=tashi', role: 'admin' as const },
    { path: '/api/admin/users?q=student299', role: 'admin' as const },
  ].filter(({ path }) => path.includes(only));
}

async function measureCost(size: Size, path: string, role: Role, requests = REQUESTS) {
  const { program, sessions } = communities[size];
  const ask = (index: number) => ({
    path: fillIds(path, index % SESSIONS_PER_ROLE),
    headers: {
      ...BROWSER_ACCEPT_ENCODING_HEADER,
      cookie: `session=${sessions[role][index % SESSIONS_PER_ROLE]}`,
    },
  });
  const send = (count: number) => runLoadTest(program.url, { atOnce: CONCURRENCY, count, status: 200 }, ask);
  await send(SESSIONS_PER_ROLE * 2);
  let p99 = Infinity;
  let bytes = 0;
  const { ms } = await measureAlternatives(ROUNDS, {
    ms: () =>
      measureCpuPerItem(
        requests,
        () => getProgramCpuMs(program),
        async () => {
          const answers = await send(requests);
          p99 = Math.min(p99, getLatencyQuantile(answers, 0.99));
          bytes = Math.max(...answers.map((answer) => answer.bytes));
        },
      ),
  });
  return { ms: Math.min(...ms), p99, bytes };
}

/**
 * Fills the placeholders of a path with ids of seeded rows: a student, one of this student's recordings, or
 * the first row of a table, for example the first melody.
 */
function fillIds(path: string, caller: number): string {
  const id = path.includes('/users/')
    ? getSeededUserId('student', caller)
    : path.includes('/recordings/')
      ? String(caller + 1)
      : '1';
  return path.replace('{id}', id).replace('{clientId}', randomUUID());
}

/**
 * Makes a call to the large community three times, and returns the query plans that PostgreSQL logged for
 * queries of 3 ms or more.
 */
async function readQueryPlans(path: string, role: Role): Promise<string> {
  const { program, client, sessions } = communities.large;
  await client.query(`alter system set auto_explain.log_min_duration = '3ms'`);
  await client.query('select pg_reload_conf()');
  const log = join(program.dataDir, 'postgres.log');
  const before = (await readFile(log, 'utf8')).length;
  const headers = { cookie: `session=${sessions[role][0]}` };
  const ask = () => ({ path: fillIds(path, 0), headers });
  await runLoadTest(program.url, { atOnce: 1, count: 3, status: 200 }, ask);
  await client.query('alter system reset auto_explain.log_min_duration');
  await client.query('select pg_reload_conf()');
  return (await readFile(log, 'utf8')).slice(before).slice(0, 6_000);
}

async function createCommunity(size: Size) {
  const { program, end } = await startCommunity();
  const connection = (await findRunningConnectionSettings(program.dataDir))!;
  const client = new pg.Client(connection);
  await client.connect();
  const sessions = await seedCommunity(client, COMMUNITY_SIZES[size]);
  // Fills the search columns of names and texts, as the program does when it starts.
  const { db, close } = openDatabase(connection, () => undefined);
  for (const fold of [foldUsers, foldMelodies]) while ((await db.transaction(fold)) > 0);
  await close();
  await client.query(`alter database yangchen set session_preload_libraries = 'auto_explain'`);
  await client.query(`alter database yangchen set auto_explain.log_analyze = on`);
  await client.query('vacuum analyze');
  // Closes the program's connections, because only new connections load auto_explain.
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return { program, client, sessions, end };
}
