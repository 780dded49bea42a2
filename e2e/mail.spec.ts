import type { Page } from '@playwright/test';
import { startMailServer, type Refusal, type TestMailServer } from '../src/testing/mail-server.ts';
import { copied } from './clipboard.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { submit } from './inbox.ts';
import { expect, TEACHER, test, type Student, type World } from './fixtures.ts';

/** An address of the greatest length that people have, and no place to break it. */
const LONG = `the-one-whose-name-is-as-long-as-the-road-to-the-valley-of-flowers@example.org`;

/** What a server says to an address; null where it takes the mail. */
type Answers = { refuse: (address: string) => Refusal | null };

/** The program with a mail server that does as it is told. */
const sending = test.extend<object, { server: TestMailServer; answers: Answers }>({
  answers: [
    // eslint-disable-next-line no-empty-pattern -- the form that the test runner asks for
    async ({}, use) => use({ refuse: () => null }),
    { scope: 'worker' },
  ],
  server: [
    async ({ answers }, use) => {
      const server = await startMailServer({ refuseRecipient: (address) => answers.refuse(address) });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  environment: [async ({ server }, use) => use({ SMTP_URL: server.url }), { scope: 'worker' }],
});

test('without a mail server an invite waits on the page, is copied and taken off the list, by keyboard', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(TEACHER);
  await page.context().grantPermissions(['clipboard-write'], { origin: world.url });
  await page.goto('/admin/invite');
  await expect(page.getByText(/There is no mail server: you pass it on yourself/)).toBeVisible();
  const { email } = newcomer();
  await invite(page, email);

  await expect(page.getByText('1 invite sent', { exact: true }).first()).toBeVisible();
  await expect(
    page.getByText('There is no mail server: please pass the mails on yourself.').first(),
  ).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: email }).last();
  await expect(row).toContainText('To be passed on');
  await expect(row.getByText('Sent', { exact: true })).toHaveCount(0);
  const notice = page.getByRole('region', { name: 'No mail server is set up' });
  await page.getByRole('link', { name: 'at the top of this page' }).press('Enter');
  await expect(notice).toBeInViewport();

  const { username, password } = await world.credentialsFor(email);
  const text = notice.getByRole('group', { name: `Text of the mail to ${email}` });
  await expect(text).toContainText(username);
  await expect(text).toContainText(password);
  const copy = notice.getByRole('button', { name: `Copy the mail to ${email}` });
  await copy.press('Enter');
  await expect(notice.getByText('Copied.')).toBeVisible();
  await expect(copy).toBeFocused();
  expect(await copied(page)).toContain(password);

  const passedOn = notice.getByRole('button', { name: 'I have passed it on' }).first();
  await passedOn.press('Enter');
  const asked = page.getByRole('alertdialog', { name: 'Have you passed this mail on?' });
  await expect(asked).toContainText(`The text of the mail to ${email} is deleted`);
  await expectAccessible(page, 'asked whether a mail was passed on');
  await page.keyboard.press('Escape');
  await expect(passedOn).toBeFocused();
  await page.keyboard.press('Enter');
  await asked.getByRole('button', { name: 'I have passed it on' }).press('Enter');
  // The mail is gone and the account is not. Asked of the database first: behind the dialog no region is to be found.
  await expect
    .poll(() => world.sql('select outbox_file from mails where recipient = $1', [email]))
    .toEqual([{ outbox_file: null }]);
  await expect(asked).toHaveCount(0);
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Invite Users' })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('mails that wait are readable and operable on every page that shows them, in any width and theme', async ({
  signedIn,
  world,
}) => {
  for (const email of [newcomer().email, newcomer().email, newcomer().email, LONG])
    await approved(world, email);
  for (const width of [320, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await signedIn(TEACHER, { viewport: { width, height: 900 }, colorScheme });
      for (const path of ['/admin/invite', '/admin/users', '/admin/registrations']) {
        await page.goto(path);
        const notice = page.getByRole('region', { name: 'No mail server is set up' });
        await expect(notice.getByRole('listitem').first()).toBeVisible();
        await notice.getByRole('button', { name: 'Show all 4' }).press('Enter');
        await expect(notice.getByRole('heading', { name: LONG })).toBeVisible();
        await expectAccessible(page, `mails that wait at ${path}, ${width} px, ${colorScheme}`);
        await expectNoSidewaysScroll(page, `mails that wait at ${path}, ${width} px, ${colorScheme}`);
      }
    }
  }
});

test('the settings say that no news is mailed where there is no mail server', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await openSettings(page);
  await expect(page.getByRole('dialog')).toContainText(
    'This community has no mail server, so no such mail is sent.',
  );
  await expectAccessible(page, 'settings without a mail server');
});

sending(
  'with one, invites are sent, and the settings say how often news comes',
  async ({ signedIn, server }) => {
    const page = await signedIn(TEACHER);
    await page.goto('/admin/invite');
    const { email } = newcomer();
    await invite(page, email);
    await expect(page.getByText('1 invite sent', { exact: true }).first()).toBeVisible();
    await expect(page.getByText(/no mail server/)).toHaveCount(0);
    await expect(page.getByRole('listitem').filter({ hasText: email })).toContainText('Sent');
    await expect.poll(() => server.arrived.flatMap(({ to }) => to)).toContain(email);
    await openSettings(page);
    await expect(page.getByRole('dialog')).toContainText('At most once an hour');
  },
);

sending(
  'a mail that is refused shows with its reason; sent again it arrives, or it is given up',
  async ({ signedIn, world, server, answers }) => {
    const [lost, given] = [LONG, newcomer().email];
    answers.refuse = () => ({ code: 550, say: '5.1.1 No such mailbox' });
    for (const email of [lost, given]) await approved(world, email);
    await expect
      .poll(async () => world.sql("select 1 from mails where status = 'undeliverable'"))
      .toHaveLength(2);

    for (const width of [320, 1440]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await signedIn(TEACHER, { viewport: { width, height: 900 }, colorScheme });
        await page.goto('/admin/users');
        const notice = page.getByRole('region', { name: '2 mails could not be delivered' });
        await expect(notice.getByText('The address was refused: 550 5.1.1 No such mailbox')).toHaveCount(2);
        await expectAccessible(page, `undelivered mails, ${width} px, ${colorScheme}`);
        await expectNoSidewaysScroll(page, `undelivered mails, ${width} px, ${colorScheme}`);
        await page.context().close();
      }
    }

    const page = await signedIn(TEACHER);
    await page.goto('/admin/registrations');
    answers.refuse = () => null;
    await page.getByRole('button', { name: `Send again to ${lost}` }).press('Enter');
    await expect(page.getByText('The mail is being sent again').first()).toBeVisible();
    // What had focus went: the heading of what is left has it.
    await expect(page.getByRole('heading', { name: 'A mail could not be delivered' })).toBeFocused();
    await expect.poll(() => server.arrived.flatMap(({ to }) => to)).toContain(lost);
    const { mail } = server.arrived.find(({ to }) => to.includes(lost))!;
    expect(mail.text).toMatch(/Password: \S+/);

    await page.getByRole('button', { name: `Give up the mail to ${given}` }).press('Enter');
    await expect(page.getByText('Taken off the list').first()).toBeVisible();
    await expect(page.getByText('could not be delivered')).toHaveCount(0);
    expect(server.arrived.flatMap(({ to }) => to)).not.toContain(given);
  },
);

sending(
  'a mail that a server does not take yet is said to be delayed, with nothing to do',
  async ({ signedIn, world, answers }) => {
    const { email } = newcomer();
    answers.refuse = (address) => (address === email ? { code: 451, say: 'Come back later' } : null);
    await approved(world, email);
    await expect
      .poll(async () =>
        world.sql('select 1 from mails where recipient = $1 and last_error is not null', [email]),
      )
      .toHaveLength(1);
    const page = await signedIn(TEACHER, { viewport: { width: 320, height: 800 } });
    await page.goto('/admin/users');
    await expect(page.getByText(`The mail to ${email} is delayed:`)).toContainText(
      'The mail server does not take mail for this address yet: 451 Come back later. It is tried again by itself',
    );
    await expectAccessible(page, 'a delayed mail');
    await expectNoSidewaysScroll(page, 'a delayed mail');
    answers.refuse = () => null;
  },
);

sending(
  'the link in a mail of news leads through the sign-in to the page that it is of',
  async ({ visitor, world, server }) => {
    const student = await world.student();
    const recordingId = await submit(world, student, { title: 'Sung for the mail' });
    const teachers = await linkMailedTo(server, 'teacher@example.org');
    expect(teachers.pathname).toBe('/admin');
    const { status } = await world.teacher.form('/api/feedback', {
      recordingId,
      writtenFeedback: 'Softer at kyab.',
    });
    expect(status).toBe(201);
    const students = await linkMailedTo(server, student.email);
    expect(students.pathname).toBe('/feedback');

    const phone = await visitor();
    await followSignedOut(phone, students, student);
    await expect(phone).toHaveURL(`${world.url}/feedback`);
    await expect(phone.getByRole('heading', { name: 'Sung for the mail' })).toBeVisible();
    const teacherPage = await visitor();
    await followSignedOut(teacherPage, teachers, TEACHER);
    await expect(teacherPage).toHaveURL(`${world.url}/admin`);
    await expect(teacherPage.getByRole('heading', { name: 'Student Submissions' })).toBeVisible();
  },
);

let counted = 0;
const newcomer = () => ({ email: `newcomer.${Date.now()}.${(counted += 1)}@example.org` });

async function invite(page: Page, email: string) {
  const row = page.getByRole('group', { name: 'Invite 1' });
  await row.getByLabel('Email').fill(email);
  await row.getByLabel('First name').fill('Pema');
  await row.getByLabel('Last name').fill('Lhamo');
  await page.getByRole('button', { name: 'Send 1 Invite' }).press('Enter');
}

/** A mail with credentials is on its way to this address. */
async function approved(world: World, email: string) {
  const { body, status } = await world.teacher.post('/api/admin/invite-users', {
    invites: [
      {
        email,
        firstName: 'Pema',
        lastName: 'Lhamo',
        transmissionLevels: [(await world.level('Open to All')).id],
      },
    ],
  });
  expect([status, body.successCount]).toEqual([200, 1]);
}

async function openSettings(page: Page) {
  await page.goto('/');
  await page.getByRole('button', { name: /account/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
}

async function linkMailedTo({ arrived }: TestMailServer, email: string) {
  const link = () =>
    arrived
      .filter(({ to }) => to.includes(email))
      .map(({ mail }) => /https?:\S+\/(?:feedback|admin)\b/.exec(mail.text ?? '')?.[0])
      .find(Boolean);
  await expect.poll(link, `a mail of news to ${email}`).toBeDefined();
  return new URL(link()!);
}

/** The mail names the address that people know; the tests' browser goes by another. */
async function followSignedOut(
  page: Page,
  { pathname }: URL,
  person: Pick<Student, 'username' | 'password'>,
) {
  await page.goto(pathname);
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}
