import { expect, test } from 'vitest';
import { generatePassword } from './passwords.ts';
import { explainGuessablePassword } from './guessable-passwords.ts';

const names = {
  own: ['tashi.d', 'Tashi', 'Dölma Lhamo', 'td1984@example.org', null],
  community: ['Yangchen', 'Khandro-la'],
};

test.each(['123456', 'password', 'PASSWORD', ' qwerty123 ', 'Iloveyou', 'dragon', 'starwars', 'football'])(
  '%j is rejected as a common password',
  async (password) => {
    expect(await explainGuessablePassword(password, names)).toMatch(/very common/);
  },
);

test.each([
  'tashi.d',
  'Tashi1',
  'TASHI-2026!',
  '99tashi99',
  'dolmalhamo',
  'Dölma.Lhamo',
  'lhamo7',
  'td1984',
  'tashi d',
])('%j is rejected as the user’s name or email', async (password) => {
  expect(await explainGuessablePassword(password, names)).toMatch(/your name or email/);
});

test.each(['yangchen', 'Yangchen2026', 'khandro-la', 'KhandroLa!', 'khandro108'])(
  '%j is rejected as the community’s or teacher’s name',
  async (password) => {
    expect(await explainGuessablePassword(password, names)).toMatch(/community’s or teacher’s name/);
  },
);

test.each(['a-lotus-of-my-own', 'tashi sings low', 'རྡོ་རྗེ་སེམས', '804611', '-!-!-!-', 'dolmatashi-of-kham'])(
  '%j is accepted as hard to guess',
  async (password) => {
    expect(await explainGuessablePassword(password, names)).toBeNull();
  },
);

test('accepts generated passwords, and ignores empty names', async () => {
  expect(await explainGuessablePassword('a-lotus', { own: [null, ''], community: ['...'] })).toBeNull();
  for (let i = 0; i < 20; i += 1)
    expect(await explainGuessablePassword(generatePassword(), names)).toBeNull();
});

test('the list of common passwords has more than 10,000 entries', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  expect(dictionary['passwords-common'].length).toBeGreaterThan(10_000);
});
