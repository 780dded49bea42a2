import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';

// Fills a database with a community through SQL. The files that its rows refer to do not exist.

export const COMMUNITY_SIZES = {
  small: { users: 300, melodies: 60, recordings: 1_500, pending: 250 },
  large: { users: 10_000, melodies: 2_000, recordings: 100_000, pending: 3_000 },
};
type Size = (typeof COMMUNITY_SIZES)['small'];

/** Number of signed-in users per role. */
export const SESSIONS_PER_ROLE = 16;

export type SessionCookiesByRole = { admin: string[]; student: string[] };

/** Prefixes of the ids of seeded users. */
const ID_PREFIXES = { admin: '00000000-0000-4000-8000-', student: '00000000-0000-4000-9000-' };

export const getSeededUserId = (role: keyof SessionCookiesByRole, n: number) =>
  ID_PREFIXES[role] + String(n).padStart(12, '0');

/** Words from which titles, descriptions and texts are made. */
const WORDS =
  'om mani padme hum sangye cho dang tsok kyi chok nam la jangchub bardu dak ni kyab su chi gyi jin sok gyi pe sonam di dro pen chir sangye drub par shok lama khyen no tara praise offering lineage teacher blessing morning evening slow verse refrain breath line heart mountain river lamp snow lion';

/**
 * Creates a community. Students have only the first level, which has 12 melodies. Each student with a session
 * has 40 reviewed recordings of these melodies. The remaining recordings belong to other students.
 */
export async function seedCommunity(client: pg.Client, { users, melodies, recordings, pending }: Size) {
  const run = (text: string, values: unknown[] = []) => client.query(text, values);
  // Creates a temporary function, which disappears with this connection.
  await run(
    `create function pg_temp.id_of(role text, n int) returns text language sql as
     $$ select case role when 'admin' then '${ID_PREFIXES.admin}' else '${ID_PREFIXES.student}' end || lpad(n::text, 12, '0') $$`,
  );
  await run(`insert into transmission_levels (name) select 'Level ' || n from generate_series(1, 10) n`);
  await run(
    `insert into users (id, email, first_name, last_name, username, password, role)
     select pg_temp.id_of(role, n), role || n || '@example.org', 'Tashi', 'Number ' || n, role || n,
       'none', role
     from (values ('admin', ${SESSIONS_PER_ROLE}), ('student', $1::int)) as roles (role, count), generate_series(0, count - 1) n`,
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
    `insert into melodies (title, description, transmission_level_id, melody_text, audio_url, thumbnail_url, created_by,
       created_at)
     select 'Melody ' || n || ' ' || pg_temp.words('title' || n, 2), pg_temp.words('description' || n, 40),
       (select min(id) from transmission_levels) + case when n <= 12 then 0 else 1 + n % 9 end,
       pg_temp.words('text' || n, 150), md5('melody' || n) || '.mp3', md5('picture' || n) || '.webp',
       pg_temp.id_of('admin', 0), now() - n * interval '1 minute'
     from generate_series(1, $1::int) n`,
    [melodies],
  );
  // The first recordings belong to the students with a session, in turn, so that the recording with id n + 1
  // belongs to student n for n < SESSIONS_PER_ROLE.
  await run(
    `insert into recordings (title, folded_title, audio_url, duration, client_id, student_id, melody_id, status, created_at)
     select 'Take ' || n, 'take ' || n, md5(n::text) || '.wav', 60, gen_random_uuid(),
       pg_temp.id_of('student', case when n < 40 * ${SESSIONS_PER_ROLE} then n % ${SESSIONS_PER_ROLE} else ${SESSIONS_PER_ROLE} + n % ($1::int - ${SESSIONS_PER_ROLE}) end),
       1 + n % 12, case when n >= $2::int - $3::int then 'pending' else 'reviewed' end,
       now() - ($2::int - n) * interval '1 minute'
     from generate_series(0, $2::int - 1) n`,
    [users, recordings, pending],
  );
  await run(
    `insert into media_files (name, slot, content_type, size, sha256, duration_ms, peaks)
     select audio_url, 'recording-audio', 'audio/wav', 1000, encode(sha256(audio_url::bytea), 'hex'), 60000, encode(sha256(audio_url::bytea), 'base64')
     from recordings`,
  );
  await run(
    `insert into feedback (recording_id, client_id, written_feedback, admin_id, status, created_at)
     select id, gen_random_uuid(), 'Lovely. Slower in the second line, and breathe before the last.', pg_temp.id_of('admin', 0),
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
  return {
    admin: await createSessions(client, 'admin', SESSIONS_PER_ROLE),
    student: await createSessions(client, 'student', SESSIONS_PER_ROLE),
  };
}

/** Creates sessions for the first users of a role. @returns the values of their session cookies */
async function createSessions(
  client: pg.Client,
  role: keyof SessionCookiesByRole,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  await client.query(
    `insert into sessions (sid, sess, expire)
     select sid, jsonb_build_object('userId', user_id), now() + interval '30 days'
     from unnest($1::text[], $2::text[]) as given (sid, user_id)`,
    [
      ids.map((id) => createHash('sha256').update(id).digest('hex')),
      ids.map((_, n) => getSeededUserId(role, n)),
    ],
  );
  return ids;
}
