import { expect, test } from 'vitest';
import { composeCredentialsEmail } from './emails.ts';

const community = {
  appName: 'Songs & <Chants>',
  teacherTitle: 'Khandro-la',
  publicUrl: new URL('https://songs.example.org'),
};
const user = { id: 'id', email: 'tashi@example.org', username: 'tashi', firstName: 'Tashi <b>' };

test.each(['approved', 'invited', 'again'] as const)(
  'the “%s” email contains the credentials and is signed by the teacher',
  (occasion) => {
    const mail = composeCredentialsEmail(community, user, 'dakefo-muzari-tepogu-41', occasion);
    expect(mail).toMatchObject({ kind: 'credentials', userId: 'id', recipient: 'tashi@example.org' });
    expect(mail.subject).toContain('Songs & <Chants>');
    expect(mail.subject).not.toContain('dakefo');
    expect(mail.text).toContain('Dear Tashi <b>,');
    expect(mail.text).toContain('  Username: tashi\n  Password: dakefo-muzari-tepogu-41\n');
    expect(mail.text).toContain('https://songs.example.org/\n');
    expect(mail.text).toContain('https://songs.example.org/change-password');
    expect(mail.text.trimEnd()).toMatch(/Khandro-la$/);
    expect(mail.html).toContain('dakefo-muzari-tepogu-41');
    expect(mail.html).not.toMatch(/<b>,|<Chants>/);
  },
);

test('an email greets a user without a first name by their username', () => {
  const mail = composeCredentialsEmail(community, { ...user, firstName: null }, 'x', 'invited');
  expect(mail.text).toContain('Dear tashi,');
});
