import pg from 'pg';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { FakeAuthenticator } from '#testing/fake-authenticator.ts';
import { TestClient } from '#testing/client.ts';
import { TEACHER_CREDENTIALS, type RunningCommunity } from '#testing/community.ts';

const GUESSES = ['password', 'khandro', 'om-mani-padme-hum', '12345678'];

/**
 * Simulates a thief who has only the teacher's session cookie and tries to take over her account: by adding
 * another sign-in method, by locking her out, and through a student's account. Then the teacher signs in and
 * signs everybody else out.
 * @returns the attempts that worked
 */
export async function runTakeoverAttack({
  url,
  dataDir,
  teacher,
  newStudent,
}: RunningCommunity): Promise<string[]> {
  const { email } = (await teacher.get('/api/user')).body as { email: string };
  const { username } = await newStudent();
  const users = (await teacher.get('/api/admin/users')).body as { id: string; username: string }[];
  const studentId = users.find((user) => user.username === username)!.id;
  await expireProofs(dataDir);

  const thief = new TestClient(url);
  thief.cookies.set('session', teacher.cookies.get('session')!);
  const phone = new FakeAuthenticator(url.replace('127.0.0.1', 'localhost'));
  const tries: { what: string; status: number; hasWorked: boolean }[] = [];
  const note = (what: string, status: number, hasWorked = status < 300) =>
    tries.push({ what, status, hasWorked });
  const account = { ...TEACHER_CREDENTIALS, email, firstName: 'Not', lastName: 'Her' };

  const creation = await thief.post('/api/user/passkeys/challenge');
  note('begins to add a passkey', creation.status);
  const made = phone.create(
    creation.body.rp
      ? creation.body
      : { challenge: 'x'.repeat(43), rp: { id: 'localhost' }, user: { id: 'x' } },
  );
  const added = await thief.post('/api/user/passkeys', { name: 'Mine', passkey: made });
  note('adds a passkey', added.status);
  const { body: challenge } = await thief.post('/api/passkeys/challenge');
  const passkey = phone.answer(challenge);
  note(
    'turns the second factor on',
    (await thief.put('/api/user/passkey-second-factor', { isOn: true, passkey })).status,
  );
  for (const password of GUESSES)
    note(`proves it with “${password}”`, (await thief.post('/api/user/proof', { password })).status);
  const change = { ...account, email: 'thief@example.org', currentPassword: '' };
  note('changes the email', (await thief.put('/api/admin/account', change)).status);
  const passwords = { currentPassword: 'khandro', newPassword: 'mine from now on' };
  note('changes the password', (await thief.post('/api/user/change-password', passwords)).status);
  note('shows a code for her account', (await thief.post('/api/user/sign-in-codes')).status);

  const student = `/api/admin/users/${studentId}`;
  note('shows a code for a student', (await thief.post(`${student}/sign-in-codes`)).status);
  note('shows a new password of a student', (await thief.post(`${student}/password`)).status);
  const moved = { firstName: 'Tashi', lastName: null, email: 'thief@example.org' };
  note('moves the email of a student', (await thief.put(student, moved)).status);

  await thief.post('/api/password-reset/request', { email });
  const outbox = await waitUntilMailed(thief, email);
  note('reads her reset link in the list', outbox.status, /token=/.test(JSON.stringify(outbox.body)));
  const [mail] = (outbox.body as { id: number; recipient: string }[]).filter(
    ({ recipient }) => recipient === email,
  );
  note('opens her reset link', (await thief.post(`/api/admin/mail/${mail!.id}/text`)).status);
  const all = await thief.post('/api/admin/mail/outbox/texts', { batch: crypto.randomUUID() });
  note('opens all waiting emails', all.status);

  const herself = new TestClient(url);
  herself.cookies.set('device', teacher.cookies.get('device')!);
  const { status } = await herself.post('/api/login', TEACHER_CREDENTIALS);
  note('she can’t sign in any more', status, status !== 200);
  await herself.post('/api/user/sign-out-elsewhere');
  note('the cookie outlives “Sign out everywhere else”', (await thief.get('/api/user')).status);
  console.table(tries);
  return tries.filter(({ hasWorked }) => hasWorked).map(({ what }) => what);
}

/** Moves the last use of a password or passkey five minutes into the past, in every session. */
async function expireProofs(dataDir: string) {
  const database = new pg.Client((await findRunningConnectionSettings(dataDir))!);
  await database.connect();
  await database.query("update sessions set proved_at = proved_at - interval '5 minutes'");
  await database.end();
}

/**
 * Waits for an email to this address, because links are sent after the response.
 * @returns the response with the outbox, or an error response
 */
async function waitUntilMailed(thief: TestClient, email: string) {
  for (;;) {
    const outbox = await thief.get('/api/admin/mail/outbox');
    if (outbox.status !== 200 || JSON.stringify(outbox.body).includes(email)) return outbox;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
