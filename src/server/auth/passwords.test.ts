import { expect, test } from 'vitest';
import { generatePassword, hashPassword, verifyPassword } from './passwords.ts';

test('a hash matches only the password it was made from', async () => {
  const hashed = await hashPassword('om mani');
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/);
  const turn = { account: 'tashi', address: '192.0.2.1' };
  expect(await verifyPassword('om mani', hashed, turn)).toBe(true);
  expect(await verifyPassword('om Mani', hashed, turn)).toBe(false);
  expect(await verifyPassword('om mani', null, turn)).toBe(false);
});

test('does not verify a password after the client has disconnected', async () => {
  const turn = { account: 'tashi', address: '192.0.2.1', signal: AbortSignal.abort() };
  await expect(verifyPassword('om mani', null, turn)).rejects.toMatchObject({ code: 'unavailable' });
});

test('generated passwords are easy to read aloud and unique', () => {
  const many = Array.from({ length: 500 }, generatePassword);
  for (const password of many)
    expect(password).toMatch(/^([bdfghjkmnprstvz][aeiou]){3}(-([bdfghjkmnprstvz][aeiou]){3}){2}-[2-9]{2}$/);
  expect(new Set(many).size).toBe(500);
  expect(9 * Math.log2(15 * 5) + 2 * Math.log2(8)).toBeGreaterThan(60);
});
