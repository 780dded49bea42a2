import { Authenticator } from '../../src/testing/authenticator.ts';
import { Client } from '../../src/testing/client.ts';
import type { Person } from '../community.ts';

/** A deed of the attacker, and what came of it. */
type Try = { what: string; heard: string; hasWorked: boolean };

type Takeover = {
  url: string;
  /** Of the teacher's session, in which nobody has given a password or a passkey for five minutes. */
  cookie: string;
  teacher: Person & { email: string };
  /** The browser in which the teacher signs in as always. */
  device: string;
  studentId: string;
};

const GUESSES = ['password', 'khandro', 'om-mani-padme-hum', '12345678'];

/**
 * Somebody who has the teacher's cookie alone tries to keep her account: by another way in, by locking her out, and by
 * the account of a student. Afterwards the teacher signs in and signs everybody else out.
 * @returns each try; the last ones are the teacher's
 */
export async function takeOver({ url, cookie, teacher, device, studentId }: Takeover): Promise<Try[]> {
  const thief = new Client(url);
  thief.cookies.set('session', cookie);
  const phone = new Authenticator(url.replace('127.0.0.1', 'localhost'));
  const tries: Try[] = [];
  const note = (what: string, status: number, hasWorked = status < 300) =>
    tries.push({ what, heard: String(status), hasWorked });
  const account = { ...teacher, firstName: 'Not', lastName: 'Her' };

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

  await thief.post('/api/password-reset/request', { email: teacher.email });
  const outbox = await untilMailed(thief, teacher.email);
  note('reads her reset link in the list', outbox.status, /token=/.test(JSON.stringify(outbox.body)));
  const [mail] = (outbox.body as { id: number; recipient: string }[]).filter(
    ({ recipient }) => recipient === teacher.email,
  );
  note('opens her reset link', (await thief.post(`/api/admin/mail/${mail!.id}/text`)).status);
  const all = await thief.post('/api/admin/mail/outbox/texts', { batch: crypto.randomUUID() });
  note('opens all waiting emails', all.status);

  const herself = new Client(url);
  herself.cookies.set('device', device);
  const { username, password } = teacher;
  const { status } = await herself.post('/api/login', { username, password });
  note('she can’t sign in any more', status, status !== 200);
  await herself.post('/api/user/sign-out-elsewhere');
  note('the cookie outlives “Sign out everywhere else”', (await thief.get('/api/user')).status);
  return tries;
}

/** The outbox once it has a mail to this address: links are written after the answer. */
async function untilMailed(thief: Client, email: string) {
  for (;;) {
    const outbox = await thief.get('/api/admin/mail/outbox');
    if (outbox.status !== 200 || JSON.stringify(outbox.body).includes(email)) return outbox;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
