import { expect, test } from 'vitest';
import { composeCredentialsEmail } from '#features/people/users/server/emails.ts';
import { formatSignInDetails } from './sign-in-details.ts';

const community = {
  appName: 'Yangchen',
  teacherTitle: 'Khandro-la',
  publicUrl: new URL('https://songs.example'),
};
const user = { id: '1', email: 'tashi@example.org', username: 'tashi', firstName: 'Tashi' };

test('extracts sign-in details only from an email with a password', () => {
  const { text } = composeCredentialsEmail(community, user, 'lotus-and-lion', 'invited');
  expect(formatSignInDetails(text, 'https://songs.example')).toBe(
    'https://songs.example\nUsername: tashi\nPassword: lotus-and-lion',
  );
  expect(formatSignInDetails('Dear Tashi,\nthere is news.', 'https://songs.example')).toBeNull();
});
