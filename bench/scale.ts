import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { allEndpoints } from '../src/api.ts';
import { openDatabase } from '../src/db/database.ts';
import { foldSome } from '../src/features/users/server/store.ts';
import { connectionToRunning } from '../src/platform/server/embedded-postgres/connection.ts';
import { newDataFolder, startProgram, type Program } from '../src/testing/program.ts';
import { load, quantile, type Ask } from './load.ts';
import { cpuMsOfAll } from './process-usage.ts';

/**
 * Measures every GET with a small and with a large community, in the same run: its CPU time in all processes, and what
 * it sends. The small one fills the first page of every list, and the callers have the same in both, so what grows is
 * what a caller cannot see. For what costs more than it may, the plans of its statements are printed.
 */
const SIZES = {
  small: { users: 300, melodies: 60, recordings: 1_500, pending: 250 },
  large: { users: 10_000, melodies: 2_000, recordings: 100_000, pending: 3_000 },
};
const CALLERS = 16;
const REQUESTS = 240;
const ROUNDS = 3;
const AT_ONCE = 8;

/** Times the CPU time with the small community; and what one call sends, compressed as for a browser. */
const bounds = { cpu: 2, bytes: 200 * 1024 };

/** What the ids of seeded users begin with. */
const ID_OF = { admin: '00000000-0000-4000-8000-', student: '00000000-0000-4000-9000-' };

/** What a call cannot do without. */
const QUERIES: Record<string, string> = { '/api/student/recordings/count': '?melodyId=1' };

/** What melodies are made of. */
const WORDS =
  'om mani padme hum sangye cho dang tsok kyi chok nam la jangchub bardu dak ni kyab su chi gyi jin sok gyi pe sonam di dro pen chir sangye drub par shok lama khyen no tara praise offering lineage teacher blessing morning evening slow verse refrain breath line heart mountain river lamp snow lion';

/** No page asks for it where the texts are long (decision 0040). */
const WHOLE_LIBRARY = '/api/melodies';

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const only = process.argv[2];

type Sessions = { admin: string[]; student: string[] };
type Community = { program: Program; client: pg.Client; sessions: Sessions; remove(): Promise<void> };
type Cost = { ms: number; bytes: number; p99: number };

execFileSync(process.execPath, ['scripts/set-up.js', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
const communities = { small: await makeCommunity('small'), large: await makeCommunity('large') };
let isWithin = true;
try {
  for (const { path, role } of calls()) {
    const cost = { small: await costOf('small', path, role), large: await costOf('large', path, role) };
    const ratio = cost.large.ms / cost.small.ms;
    const isLight = cost.large.bytes <= bounds.bytes || path === WHOLE_LIBRARY;
    const holds = ratio <= bounds.cpu && isLight;
    if (!holds) isWithin = false;
    console.log(
      `${holds ? 'holds' : 'FAILS'}  ${role.padEnd(7)} ${path.padEnd(52)} ${ratio.toFixed(2).padStart(6)} times ` +
        `(${cost.small.ms.toFixed(2)} → ${cost.large.ms.toFixed(2)} ms of CPU), ` +
        `${(cost.large.bytes / 1024).toFixed(1)} KiB, p99 ${cost.large.p99.toFixed(0)} ms`,
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
    path: path.replace('{id}', idIn(path, index % CALLERS)),
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

function idOf(role: keyof Sessions, n: number) {
  return ID_OF[role] + String(n).padStart(12, '0');
}

/** Something of the caller's: the ids are those that `seed` gives. */
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
    path: path.replace('{id}', idIn(path, 0)),
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

/**
 * Each caller has 40 recordings of the 12 melodies of the one level that students have received, half of them answered;
 * everything else belongs to others.
 */
async function seed(client: pg.Client, { users, melodies, recordings, pending }: (typeof SIZES)['small']) {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  // Gone with this connection.
  await run(
    `create function pg_temp.id_of(role text, n int) returns text language sql as
     $$ select case role when 'admin' then '${ID_OF.admin}' else '${ID_OF.student}' end || lpad(n::text, 12, '0') $$`,
  );
  await run(`insert into transmission_levels (name) select 'Level ' || n from generate_series(1, 10) n`);
  await run(
    `insert into users (id, email, first_name, last_name, username, password, role)
     select pg_temp.id_of(role, n), role || n || '@example.org', 'Tashi', 'Number ' || n, role || n,
       'none', role
     from (values ('admin', ${CALLERS}), ('student', $1::int)) as roles (role, count), generate_series(0, count - 1) n`,
    [users],
  );
  await run(
    `insert into user_transmission_access (user_id, transmission_level_id, granted_by)
     select id, (select min(id) from transmission_levels), pg_temp.id_of('admin', 0) from users where role = 'student'`,
  );
  await run(
    `create function pg_temp.words(seed text, count int) returns text language sql as
     $$ select string_agg(($2::text[])[1 + abs(hashtext(seed || i)) % cardinality($2::text[])], ' ' order by i)
        from generate_series(1, count) i $$`.replaceAll(
      '$2::text[]',
      `'{${WORDS.split(' ').join()}}'::text[]`,
    ),
  );
  await run(
    `insert into melodies (title, description, transmission_level_id, melody_text, audio_url, thumbnail_url, folded_title,
       folded_text, folded_grams, created_by, created_at)
     select 'Melody ' || n || ' ' || pg_temp.words('title' || n, 2), pg_temp.words('description' || n, 40),
       (select min(id) from transmission_levels) + case when n <= 12 then 0 else 1 + n % 9 end,
       pg_temp.words('text' || n, 150), md5('melody' || n) || '.mp3', md5('picture' || n) || '.webp', 'melody ' || n,
       'melody ' || n, '{}', pg_temp.id_of('admin', 0), now() - n * interval '1 minute'
     from generate_series(1, $1::int) n`,
    [melodies],
  );
  // The callers' come first, so that recording n + 1 is caller n's.
  await run(
    `insert into recordings (title, folded_title, audio_url, duration, student_id, melody_id, status, created_at)
     select 'Take ' || n, 'take ' || n, md5(n::text) || '.wav', 60,
       pg_temp.id_of('student', case when n < 40 * ${CALLERS} then n % ${CALLERS} else ${CALLERS} + n % ($1::int - ${CALLERS}) end),
       1 + n % 12, case when n >= $2::int - $3::int then 'pending' else 'reviewed' end,
       now() - ($2::int - n) * interval '1 minute'
     from generate_series(0, $2::int - 1) n`,
    [users, recordings, pending],
  );
  await run(
    `insert into media_files (name, slot, content_type, size, sha256, duration_ms, peaks)
     select audio_url, 'recording-audio', 'audio/wav', 1000, 'x', 60000, encode(sha256(audio_url::bytea), 'base64')
     from recordings`,
  );
  await run(
    `insert into feedback (recording_id, written_feedback, admin_id, status, created_at)
     select id, 'Lovely. Slower in the second line, and breathe before the last.', pg_temp.id_of('admin', 0),
       case when id % 2 = 0 then 'unread' else 'read' end, created_at
     from recordings where status = 'reviewed'`,
  );
  await run(
    `insert into registration_requests (full_name, email, status, requested_at, processed_at)
     select 'Pema ' || n, 'pema' || n || '@example.org', case when n % 3 = 0 then 'pending' else 'approved' end,
       now() - n * interval '1 minute', case when n % 3 > 0 then now() - n * interval '1 minute' end
     from generate_series(1, $1::int) n`,
    [users],
  );
  await run(
    `insert into mails (kind, user_id, recipient, subject, status, settled_at)
     select 'credentials', id, email, 'Welcome', case when length(id) % 2 = 0 then 'delivered' else 'undeliverable' end, now()
     from users where role = 'student'`,
  );
  await run(
    `insert into audit_log (actor_name, action, subject_name) select 'Khandro-la', 'level-granted', 'Tashi ' || n
     from generate_series(1, $1::int) n`,
    [users],
  );
  const sessionsOf = async (role: string) => {
    const ids = Array.from({ length: CALLERS }, () => randomBytes(32).toString('base64url'));
    for (const [index, id] of ids.entries())
      await run(
        `insert into sessions (sid, sess, expire) values ($1, jsonb_build_object('userId', pg_temp.id_of($2, $3::int)), now() + interval '30 days')`,
        [createHash('sha256').update(id).digest('hex'), role, index],
      );
    return ids;
  };
  return { admin: await sessionsOf('admin'), student: await sessionsOf('student') };
}
