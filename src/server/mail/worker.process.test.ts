import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { mails, users } from '../db/schema.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { createDataFolder, startProgram } from '#testing/program.ts';
import { queueMail } from './queue.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

test('sends an email after a restart if the program was killed during delivery', async () => {
  const { dataDir, remove } = await createDataFolder();
  cleanUp.push(remove);
  let isHeld = true;
  let whenReached = () => undefined as void;
  const reached = new Promise<void>((resolve) => (whenReached = resolve));
  const server = await startMailServer({
    beforeAccept: () => {
      whenReached();
      return isHeld ? new Promise(() => undefined) : Promise.resolve();
    },
  });
  cleanUp.push(server.stop);
  const environment = { SMTP_URL: server.url };

  const first = await startProgram({ dataDir, environment });
  const connection = { host: join(dataDir, 'socket'), port: 5432, user: 'yangchen', database: 'yangchen' };
  const before = openDatabase(connection, () => undefined);
  const [teacher] = await before.db.select().from(users);
  await before.db.transaction((tx) =>
    queueMail(tx, {
      kind: 'credentials',
      userId: teacher!.id,
      recipient: 'pema@example.org',
      subject: 'Welcome',
      text: 'Tashi delek',
      html: '<p>Tashi delek</p>',
    }),
  );
  await reached;
  await before.close();
  await first.end('SIGKILL');
  expect(server.arrived).toEqual([]);
  isHeld = false;

  const second = await startProgram({ dataDir, environment });
  cleanUp.push(() => second.end());
  const after = openDatabase(connection, () => undefined);
  cleanUp.push(() => after.close());
  // The email is sent long before its lease expires, because the lock on the data folder proves that no other
  // process is sending it.
  await expect.poll(() => server.arrived.length).toBe(1);
  expect(server.arrived[0]!.mail.text?.trim()).toBe('Tashi delek');
  await expect
    .poll(() => after.db.select().from(mails))
    .toMatchObject([{ status: 'delivered', attempts: 2, text: null }]);
});
