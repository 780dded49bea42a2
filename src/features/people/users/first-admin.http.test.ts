import { expect, test } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp();
const first = (password: string) =>
  app.services.users.createFirstAdmin({ username: 'khandro', email: 'khandro@example.org', password });

test('rejects a guessable ADMIN_PASSWORD for the first teacher', async () => {
  for (const password of ['12345678', 'Khandro-2026', 'yangchen'])
    await expect(first(password)).rejects.toThrow(/^ADMIN_PASSWORD: This (password )?is/);
  expect(await app.count('users')).toBe(0);
});

test('ignores ADMIN_PASSWORD if there is already a teacher', async () => {
  expect(await first('a-lotus-of-my-own')).toMatchObject({ username: 'khandro' });
  expect(await first('12345678')).toBeNull();
});
