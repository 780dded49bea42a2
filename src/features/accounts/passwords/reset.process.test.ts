import { afterEach, expect, test } from 'vitest';
import pg from 'pg';
import { findRunningConnectionSettings } from '#server/postgres/connection.ts';
import { TestClient } from '#testing/client.ts';
import { createDataFolder, startProgram } from '#testing/program.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

test('a reset link requested just before shutdown is not lost', async () => {
  const { dataDir, remove } = await createDataFolder();
  cleanUp.push(remove);
  const first = await startProgram({ dataDir });
  const reply = await new TestClient(first.url).post('/api/password-reset/request', {
    email: 'teacher@example.org',
  });
  expect(reply.status).toBe(200);
  expect((await first.end('SIGTERM')).code).toBe(0);

  const later = await startProgram({ dataDir });
  cleanUp.push(() => later.end());
  const client = new pg.Client((await findRunningConnectionSettings(dataDir))!);
  await client.connect();
  const { rows } = await client.query('select kind from mails where recipient = $1', ['teacher@example.org']);
  await client.end();
  expect(rows).toEqual([{ kind: 'password-reset' }]);
});
