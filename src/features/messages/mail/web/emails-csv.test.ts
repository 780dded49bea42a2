import papaparse from 'papaparse';
import { expect, test } from 'vitest';
import { createEmailsCsv, buildMailtoUrl } from './emails-csv.ts';

const mail = {
  ...{ id: 1, name: 'Tashi Dolma', recipient: 'tashi@example.org', username: 'tashi' },
  ...{ subject: 'Welcome', createdAt: '2026-11-24T00:00:00.000Z' },
};

test('the emails file has a row for each email, with the password if there is one', async () => {
  const file = createEmailsCsv([
    { ...mail, text: 'Dear Tashi,\n\nUsername: tashi\nPassword: lotus-and-lion\n' },
    { ...mail, name: '=HYPERLINK("x")', text: 'There is news.' },
  ]);
  const { data } = papaparse.parse<string[]>((await file.text()).trim());
  expect(data.slice(1)).toEqual([
    [
      ...['Tashi Dolma', 'tashi@example.org', 'tashi', 'lotus-and-lion', 'Welcome'],
      'Dear Tashi,\n\nUsername: tashi\nPassword: lotus-and-lion',
    ],
    [`'=HYPERLINK("x")`, 'tashi@example.org', 'tashi', '', 'Welcome', 'There is news.'],
  ]);
});

test('the mailto URL contains the recipient, subject and text', () => {
  const address = new URL(buildMailtoUrl('a+b&c@example.org', 'How to sign in?', 'One\nTwo & བཀྲ་ཤིས།\n'));
  expect(address.pathname).toBe('a%2Bb%26c@example.org');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    subject: 'How to sign in?',
    body: 'One\r\nTwo & བཀྲ་ཤིས།',
  });
});
