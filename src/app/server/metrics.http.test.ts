import { sql } from 'drizzle-orm';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTICE_KINDS } from '#shared/kinds.ts';
import { projectFolder } from '#server/config/project.ts';
import { installation } from '#server/db/schema.ts';
import { allEndpoints } from '../api.ts';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { TEST_PASSWORD } from '#testing/builders.ts';
import { openRawConnection } from '#testing/raw-request.ts';

const TOKEN = 'a-token-of-the-operator';
const withToken = { alone: true, environment: { METRICS_TOKEN: TOKEN } };
const app = await startTestApp(withToken);
/** A server without a metrics token. As in production, it serves a page at all paths outside the API. */
const closed = await startTestApp({
  alone: true,
  prepare: ({ app: server }) => void server.get('/*', () => Promise.resolve('a page')),
});

const ask = (server: TestApp, authorization?: string) =>
  server.visitor().get('/metrics', authorization === undefined ? {} : { headers: { authorization } });

async function scrape(server = app): Promise<Sample[]> {
  const { status, body } = await ask(server, `Bearer ${TOKEN}`);
  expect(status).toBe(200);
  return parseMetrics(body as string);
}

type Sample = { name: string; labels: Record<string, string>; value: number };

/** Parses the samples of Prometheus' text format. */
const parseMetrics = (text: string): Sample[] =>
  [...text.matchAll(/^(\w+)(?:\{(.*)\})? ([\d.e+-]+|\+Inf)$/gm)].map(
    ([, name = '', labels = '', value = '']) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', set = '']) => [label, set]),
      ),
      value: Number(value.replace('+Inf', 'Infinity')),
    }),
  );

const valueOf = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value;

/** Waits for a sample, because a request is counted only after its response has been sent. */
const eventually = (name: string, labels: Record<string, string> = {}, server = app) =>
  expect.poll(async () => valueOf(await scrape(server), name, labels));

test('/metrics responds with 404 to any credentials if no token is configured', async () => {
  for (const authorization of [undefined, `Bearer ${TOKEN}`, 'Bearer ', 'Bearer null']) {
    const reply = await ask(closed, authorization);
    expect([reply.status, reply.body]).toEqual([404, { message: 'Not found' }]);
  }
});

test('/metrics rejects a missing or wrong token', async () => {
  for (const authorization of [
    undefined,
    TOKEN,
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN}x`,
    `Basic ${TOKEN}`,
  ]) {
    const reply = await ask(app, authorization);
    expect([reply.status, reply.body], authorization).toEqual([401, { message: 'Unauthorized' }]);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await app.visitor().get(`/metrics?token=${TOKEN}`)).status).toBe(401);
});

test('/metrics rejects a signed-in teacher without the token', async () => {
  const teacher = await app.as(await app.make.teacher());
  expect((await teacher.get('/metrics')).status).toBe(401);
});

test('/metrics returns metrics in Prometheus’ format if the token is correct', async () => {
  const { headers, body } = await ask(app, `Bearer ${TOKEN}`);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  for (const [, counter] of (body as string).matchAll(/^# TYPE (\w+) counter$/gm))
    expect(counter).toMatch(/_total$/);
  const samples = parseMetrics(body as string);
  expect(valueOf(samples, 'yangchen_build_info', { node: process.versions.node })).toBe(1);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_start_time_seconds',
  ])
    expect(valueOf(samples, name), name).toBeGreaterThan(0);
});

test('counts requests by route and status, and measures their duration', async () => {
  const labels = { method: 'GET', route: '/api/recordings/{id}/thread' };
  const student = await app.as(await app.make.student());
  await student.get('/api/recordings/999998/thread');
  await student.get('/api/recordings/999999/thread');
  await app.visitor().get('/api/recordings/999999/thread');
  await eventually('http_request_duration_seconds_count', labels).toBe(3);
  const samples = await scrape();
  expect(valueOf(samples, 'http_requests_total', { ...labels, status: '404' })).toBe(2);
  expect(valueOf(samples, 'http_requests_total', { ...labels, status: '401' })).toBe(1);
  expect(valueOf(samples, 'http_request_duration_seconds_sum', labels)).toBeGreaterThan(0);
});

test('counts requests rejected before their route handler runs', async () => {
  await app.visitor().post('/api/logout', undefined, { headers: { origin: 'https://elsewhere.example' } });
  await eventually('http_requests_total', { method: 'POST', route: '/api/logout', status: '403' }).toBe(1);
});

test('counts an event stream when it closes, but does not measure its duration', async () => {
  const student = await app.as(await app.make.student());
  const stream = await student.stream('/api/events');
  await stream.close();
  await eventually('http_requests_total', { route: '/api/events', status: '499' }).toBe(1);
  expect(
    valueOf(await scrape(), 'http_request_duration_seconds_count', { route: '/api/events' }),
  ).toBeUndefined();
});

test('requests for unknown paths and methods do not add labels to the metrics', async () => {
  const labelsOf = (samples: Sample[]) => samples.map(({ name, labels }) => JSON.stringify([name, labels]));
  const odd = async (path: string) => {
    for (const method of ['GET', 'POST']) await app.visitor().send(method, path);
  };
  await odd('/api/nothing');
  for (const method of ['PROPFIND', 'TRACE']) await raw(method, '/first');
  await eventually('http_requests_total', { method: 'other', route: 'none' }).toBe(2);
  const before = labelsOf(await scrape());
  for (const path of ['/api/users/tashi', '/wp-login.php', '/api/"},x="', '/somewhere/else']) await odd(path);
  for (const method of ['MKCOL', 'SEARCH', 'PROPFIND']) await raw(method, '/second');
  await eventually('http_requests_total', { method: 'other', route: 'none' }).toBe(5);
  expect(labelsOf(await scrape())).toEqual(before);
});

async function raw(method: string, path: string) {
  const connection = openRawConnection(app.url);
  connection.writeRequestHead(method, path, { connection: 'close' });
  await connection.answer;
  await connection.closed;
}

test('reports emails, uploads, connections and disk space', async () => {
  const server = await startTestApp({
    alone: true,
    environment: { METRICS_TOKEN: TOKEN, DATABASE_POOL: '7', MIN_FREE_DISK: '2GB' },
    measureDisk: () => Promise.resolve({ free: 5e9, total: 2e10 }),
  });
  const student = await server.make.student();
  for (let i = 0; i < 3; i += 1) await server.make.mail(student);
  await server.db.execute(
    sql`update mails set status = 'undeliverable', text = null where id = (select min(id) from mails)`,
  );
  const caller = { id: student.id, role: 'student' as const };
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  for (const id of ids) await server.services.uploads.begin(caller, id, { size: 20_000 });
  await server.services.uploads.append({ ownerId: student.id, clientId: ids[0]! }, 0, Buffer.alloc(9_000));

  await eventually('yangchen_database_up', {}, server).toBe(1);
  const samples = await scrape(server);
  const told = (...names: string[]) => names.map((name) => valueOf(samples, `yangchen_${name}`));
  expect(told('mails_waiting', 'mails_failed')).toEqual([2, 1]);
  expect(told('copies_waiting', 'lines_waiting')).toEqual([0, 0]);
  expect(told('uploads_open', 'uploads_open_bytes')).toEqual([2, 9_000]);
  expect(told('disk_free_bytes', 'disk_size_bytes', 'disk_reserve_bytes')).toEqual([5e9, 2e10, 2e9]);
  expect(told('database_up', 'database_pool_max', 'database_pool_waiting')).toEqual([1, 7, 0]);
  const [size = 0, idle = 0] = told('database_pool_size', 'database_pool_idle');
  expect(size).toBeGreaterThan(0);
  expect(size).toBeGreaterThanOrEqual(idle);
});

test('reports the backups, and every metric that the alerts and the dashboard name', async () => {
  const server = await startTestApp(withToken);
  const ago = (seconds: number) => new Date(server.clock.now().getTime() - seconds * 1000).toISOString();
  const backups = {
    since: ago(9_000),
    latest: { takenAt: ago(600), bytes: 7 },
    restoreTest: { startedAt: ago(90), provenAt: ago(6_000), failedAt: ago(60) },
  };
  await server.db
    .insert(installation)
    .values({ backups })
    .onConflictDoUpdate({ target: installation.isOnly, set: { backups } });
  await server.visitor().get('/api/health');
  await eventually('http_requests_total', { route: '/api/health' }, server).toBe(1);
  const samples = await scrape(server);
  expect(valueOf(samples, 'yangchen_backup_age_seconds')).toBeCloseTo(600, -2);
  expect(valueOf(samples, 'yangchen_restore_test_age_seconds')).toBeCloseTo(6_000, -2);
  expect(valueOf(samples, 'yangchen_restore_test_failed')).toBe(1);
  const known = new Set(samples.map(({ name }) => name));
  for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
    const text = await readFile(join(projectFolder, 'deploy', file), 'utf8');
    const named = text.match(/\b(yangchen|http|process|nodejs)_[a-z0-9_]+/g)!;
    expect(
      named.filter((name) => !known.has(name)),
      file,
    ).toEqual([]);
  }
});

test('reports damaged files, open notices, the oldest email, sizes and checks', async () => {
  const server = await startTestApp(withToken);
  const { id } = await server.make.student();
  await server.db.execute(sql`insert into mails (kind, user_id, recipient, subject, text, created_at)
    values ('credentials', ${id}, 'who@example.org', 's', 't', ${new Date(server.clock.now().getTime() - 90_000)})`);
  const { audioUrl } = await server.make.melody({ title: 'Refuge' });
  await server.db.execute(sql`update media_files set damage = 'changed' where name = ${audioUrl}`);
  await server.services.notices.raise('files-damaged', { changed: 1 });
  await eventually('yangchen_files_damaged', {}, server).toBe(1);
  const samples = await scrape(server);
  expect(valueOf(samples, 'yangchen_notice_open', { kind: 'files-damaged' })).toBe(1);
  expect(valueOf(samples, 'yangchen_notice_open', { kind: 'disk-low' })).toBe(0);
  expect(valueOf(samples, 'yangchen_mails_oldest_age_seconds')).toBeGreaterThanOrEqual(90);
  expect(valueOf(samples, 'yangchen_media_size_bytes')).toBeGreaterThan(0);
  expect(valueOf(samples, 'yangchen_database_size_bytes')).toBeGreaterThan(0);
  expect(valueOf(samples, 'yangchen_media_up')).toBe(1);
  expect(valueOf(samples, 'yangchen_database_writable')).toBe(1);
  expect(valueOf(samples, 'yangchen_backup_age_seconds')).toBeUndefined();
});

test('concurrent scrapes share their queries, and each query counts at most 1,000 rows', async () => {
  const server = await startTestApp(withToken);
  const { id } = await server.make.student();
  await server.db.execute(sql`insert into mails (kind, user_id, recipient, subject, text)
    select 'credentials', ${id}, 'who@example.org', 's', 't' from generate_series(1, 1200)`);
  await server.db.execute(sql`insert into uploads (owner_id, client_id, size, slot, received)
    select ${id}, gen_random_uuid(), 9, 'recording-audio', 2 from generate_series(1, 1200)`);
  let queries = 0;
  server.database.pool.on('acquire', () => (queries += 1));
  await Promise.all([scrape(server), scrape(server), scrape(server)]);
  await eventually('yangchen_database_up', {}, server).toBe(1);
  const first = await scrape(server);
  expect(valueOf(first, 'yangchen_mails_waiting')).toBe(1_000);
  expect(valueOf(first, 'yangchen_uploads_open')).toBe(1_000);
  expect(valueOf(first, 'yangchen_uploads_open_bytes')).toBe(2_000);
  expect(queries).toBe(12);
});

test('reports the metrics that need no database while the database fails', async () => {
  const server = await startTestApp(withToken);
  await server.db.execute(sql`alter table uploads rename to away`);
  const samples = await scrape(server);
  expect(valueOf(samples, 'yangchen_database_up')).toBe(0);
  expect(valueOf(samples, 'yangchen_mails_waiting')).toBeUndefined();
  expect(valueOf(samples, 'yangchen_database_pool_max')).toBe(20);
  await server.db.execute(sql`alter table away rename to uploads`);
  // A failure is not cached.
  await eventually('yangchen_database_up', {}, server).toBe(1);
});

test('metrics do not contain personal data', async () => {
  const student = await app.make.student({ username: 'tashi.of.lhasa', firstName: 'Tashidorje' });
  const client = await app.as(student);
  const recording = await app.make.recording({ student, title: 'My secret song' });
  await client.post('/api/login', { username: student.username, password: TEST_PASSWORD });
  await client.get(`/api/files/${recording.audioUrl}?type=audio`);
  await client.delete(`/api/recordings/${recording.id}`);
  const teacher = await app.as(await app.make.teacher());
  await teacher.get(`/api/admin/users/${student.id}?q=${student.email}`);
  await eventually('http_requests_total', { route: '/api/admin/users/{id}' }).toBe(1);

  const text = (await ask(app, `Bearer ${TOKEN}`)).body as string;
  for (const personal of [
    student.id,
    student.username,
    'Tashidorje',
    'secret',
    recording.audioUrl,
    TOKEN,
    '127.0.0.1',
  ])
    expect(text).not.toContain(personal);
  const patterns = [...allEndpoints.map(({ path }) => path), '/*', '/metrics', 'none', 'static'];
  for (const { labels } of parseMetrics(text)) {
    const {
      method = 'GET',
      route = '/*',
      status = '200',
      le = '1',
      version = '1',
      node = '24',
      kind,
      ...more
    } = labels;
    expect(patterns).toContain(route);
    expect(method).toMatch(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/);
    expect([status, le, version, node].join()).toMatch(/^\d{3},(\d+(\.\d+)?|\+Inf),[\d.]+,[\d.]+$/);
    expect([undefined, ...NOTICE_KINDS]).toContain(kind);
    expect(more).toEqual({});
  }
});
