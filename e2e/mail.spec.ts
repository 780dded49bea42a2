import type { Page } from '@playwright/test';
import { startMailServer, type TestMailServer } from '#testing/mail-server.ts';
import { submit } from './inbox.ts';
import { expect, TEACHER, test, type Student } from './fixtures.ts';

/** The program with a mail server. */
const sending = test.extend<{ server: TestMailServer }>({
  // oxlint-disable-next-line no-empty-pattern -- the form that the test runner asks for
  server: async ({}, use) => {
    const server = await startMailServer();
    await use(server);
    await server.stop();
  },
  environment: async ({ server }, use) => use({ SMTP_URL: server.url }),
});

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
