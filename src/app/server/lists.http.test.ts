import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../api.ts';
import { isListEndpoint } from '#shared/endpoint.ts';
import { MAX_PAGE_SIZE } from '#shared/paging.ts';
import { startTestApp } from '#testing/app.ts';
import type { TestResponse } from '#testing/client.ts';
import { countLockWaiters } from '#testing/wait-for.ts';

const app = await startTestApp({ alone: true });
const student = await app.make.student({ levels: ['Open to All'] });
const melody = await app.make.melody();
const recording = await app.make.recording({ student, melodyId: melody.id });
const practisedMelody = await app.make.practisedMelody(student, melody);
const teacher = await app.make.teacher();
const browsers = {
  student: await app.as(student),
  admin: await app.as(teacher),
};

const lists = allEndpoints.filter(isListEndpoint);
const browserFor = ({ access }: { access: string }) => browsers[access === 'student' ? 'student' : 'admin'];
const urlOf = (path: string) => {
  const isOf = (start: string) => path.startsWith(start);
  const id = isOf('/api/admin/users') ? student.id : isOf('/api/user/') ? practisedMelody : recording.id;
  return path.replace('{id}', String(id));
};

// The list limiter counts one connection for each running request. If a request used two, lists could exhaust
// the pool.
test.each(lists)('$path uses one connection at a time', async ({ path, access, query }) => {
  const { pool } = app.database;
  let wanted = 0;
  let most = 0;
  // Counts requests for a connection, because a second connection might be granted only after the first is
  // released.
  const connect = pool.connect.bind(pool);
  pool.connect = ((callback: Parameters<typeof connect>[0]) => {
    most = Math.max(most, (wanted += 1));
    return connect(callback);
  }) as typeof connect;
  const release = () => (wanted -= 1);
  pool.on('release', release);
  const client = browserFor({ access });
  for (const search of query && 'q' in query.shape ? ['', '?q=a'] : ['']) {
    const reply = await client.get(urlOf(path) + search);
    expect(reply.status).toBe(200);
  }
  expect(most).toBe(1);
  pool.off('release', release);
  pool.connect = connect;
});

test('isListEndpoint() recognizes lists by their response schemas', () => {
  const paths = lists.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['/api/melodies', '/api/admin/users', '/api/admin/feedback']));
  expect(paths).not.toContain('/api/user');
});

const bounded: Record<string, string> = {
  '/api/user/transmission-levels': 'a teacher names a handful',
  '/api/user/favourites': 'at most 200',
  '/api/user/today': 'at most 50',
  '/api/user/practice-log': 'at most 500',
  '/api/admin/melody-imports': 'the last ten',
  '/api/admin/feedback/held': 'at most 20',
  '/api/admin/phrases': 'at most 100',
  '/api/admin/melodies/{id}/phrases': 'at most 12',
  '/api/melodies/{id}/teaching-notes': 'at most 100',
  '/api/admin/transmission-levels': 'a teacher names a handful',
  '/api/admin/users/{id}/transmission-access': 'at most one for each level',
  '/api/user/passkeys': 'at most ten',
  '/api/user/code-sign-ins': 'at most 20',
  '/api/user/sessions': 'at most 20',
  '/api/admin/notices': 'at most one of each kind',
  '/api/admin/registration-requests/recent': 'the last five',
  '/api/melodies/timed': 'a number for each melody that one may hear',
  '/api/melodies/use': 'one short row for each of /api/melodies',
  '/api/melodies': 'all that the caller may hear, which is searched in the browser',
};

test('every list is paged or has a known limit', () => {
  const paged = lists.filter(({ pageSize }) => pageSize !== undefined);
  expect(
    lists
      .filter((list) => !paged.includes(list))
      .map(({ path }) => path)
      .sort(),
  ).toEqual(Object.keys(bounded).sort());
  for (const { pageSize } of paged) expect(pageSize).toBeLessThanOrEqual(MAX_PAGE_SIZE);
});

/** Inserts rows for more than two pages of each paged list, with many equal times and names. */
const fill = sql.raw(`
  insert into users (email, username, password, first_name, last_name)
    select 'copy' || n || '@example.org', 'copy' || n, 'x', 'Tashi', 'Dolma' from generate_series(1, 250) n;
  insert into recordings (title, folded_title, audio_url, duration, student_id, melody_id, created_at)
    select 'Copy ' || n, 'copy ' || n, 'copy-' || n || '.wav', 1, '${student.id}', ${melody.id}, now() - n / 100 * interval '1 hour'
    from generate_series(1, 850) n;
  update recordings set status = 'reviewed' where title like 'Copy %' and id % 2 = 0;
  insert into feedback (recording_id, written_feedback, admin_id, marks)
    select id, 'Lower.', '${teacher.id}', '[{"start":0,"end":null,"text":"Lower."}]' from recordings where status = 'reviewed';
  insert into feedback_drafts (recording_id, admin_id, text)
    select id, '${teacher.id}', 'Begun' from recordings where title like 'Copy %';
  insert into recordings_put_aside (recording_id, admin_id, until)
    select id, '${teacher.id}', now() + interval '1 day' from recordings where title like 'Copy %';
  insert into registration_requests (full_name, email, requested_at)
    select 'Copy', 'copy' || n || '@example.org', now() - n / 100 * interval '1 hour' from generate_series(1, 250) n;
  insert into mails (kind, user_id, recipient, subject, status, settled_at)
    select 'credentials', '${student.id}', 'copy@example.org', 'Copy', 'undeliverable', now() from generate_series(1, 120) n;
  insert into mails (kind, user_id, recipient, subject, text, html, attempts, last_error)
    select 'credentials', '${student.id}', 'copy@example.org', 'Copy', 'Waits', 'Waits', n % 2, case n % 2 when 1 then 'Full' end
    from generate_series(1, 240) n;
  insert into audit_log (actor_name, action, subject_name)
    select 'Khandro', 'level-added', 'Copy' from generate_series(1, 250) n;
  insert into teaching_notes (melody_id, client_id, line, position, text)
    select ${melody.id}, gen_random_uuid(), 0, n, 'Copy' from generate_series(1, 120) n;
  insert into agreements (client_id, note_id, recording_id, admin_id, start, "end", wants_name, asked_at)
    select gen_random_uuid(), id, ${recording.id}, '${teacher.id}', 0, 1, false, now() from teaching_notes where text = 'Copy';
  insert into practice_days (practised_melody_id, day, seconds, times)
    select ${practisedMelody}, date '2026-01-01' + n, 60, 1 from generate_series(1, 100) n;
`);
const pagedLists = lists.flatMap(({ path, access, pageSize, query }) => {
  const url = urlOf(path);
  const searched = query && 'q' in query.shape ? [`${url}?q=copy`] : [];
  return pageSize ? [url, ...searched].map((url) => ({ url, path, access, pageSize })) : [];
});

describe('a long list', () => {
  beforeAll(async () => {
    await app.db.execute(fill);
    await app.services.users.backfillSearchColumns();
  });

  test.each(pagedLists)('$url: following the page links reads every row once', async (list) => {
    const client = browserFor(list);
    const read: unknown[] = [];
    const pages: number[] = [];
    const totals: (string | null)[] = [];
    let next: string | undefined = list.url;
    while (next) {
      const { status, body, headers }: TestResponse = await client.get(next);
      expect(status).toBe(200);
      read.push(...(body as unknown[]));
      pages.push(body.length);
      totals.push(headers.get('x-total-count'));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.slice(0, -1)).toEqual(pages.slice(1).map(() => list.pageSize));
    expect(new Set(read.map((row) => JSON.stringify(row))).size).toBe(read.length);
    expect(new Set(totals)).toEqual(new Set([String(read.length)]));
  });

  test.each(
    pagedLists.filter(
      ({ path }) => 'after' in (lists.find((list) => list.path === path)?.query?.shape ?? {}),
    ),
  )('$path: rejects a malformed cursor', async ({ path, access }) => {
    for (const after of ['x', '[]', '{"a":1}', '["2025-01-01T00:00:00.000Z","x"]'])
      expect(
        (await browserFor({ access }).get(`${urlOf(path)}?after=${encodeURIComponent(after)}`)).status,
      ).toBe(400);
  });
});

test('runs at most two list queries per user at a time, without delaying other users', async () => {
  const other = await app.as(await app.make.student({ levels: ['Open to All'] }));
  const holder = await app.database.pool.connect();
  await holder.query('begin; lock table recordings in access exclusive mode');
  const requests = Array.from({ length: 6 }, () => browsers.student.get('/api/student/recordings'));
  try {
    await expect.poll(() => countLockWaiters(app.db)).toBe(2);
    requests.push(other.get('/api/student/recordings'));
    await expect.poll(() => countLockWaiters(app.db)).toBe(3);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array<number>(7).fill(200));
});
