import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import pg from 'pg';
import { connectionToRunning } from '#server/postgres/connection.ts';
import { expect } from './fixtures.ts';

/** Asks the database of a program that runs. */
export async function inDatabase<T extends pg.QueryResultRow>(
  dataDir: string,
  statement: string,
  values: string[],
) {
  const client = new pg.Client((await connectionToRunning(dataDir))!);
  await client.connect();
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** The address that the mail to this person leads to, once there is one: from the queue, or from the outbox folder. */
export async function mailedLink(dataDir: string, email: string): Promise<string> {
  let link: string | undefined;
  const look = async () => {
    const texts = [...(await queued(dataDir, email)), ...(await inOutbox(dataDir, email))];
    link = texts.map((text) => /https?:\S+\/reset-password\?token=\S+/.exec(text)?.[0]).find(Boolean);
    return link;
  };
  await expect.poll(look, 'a mail with a link').toBeDefined();
  return link!;
}

async function queued(dataDir: string, email: string) {
  const rows = await inDatabase<{ text: string }>(
    dataDir,
    'select text from mails where recipient = $1 and text is not null order by id desc',
    [email],
  );
  return rows.map(({ text }) => text);
}

async function inOutbox(dataDir: string, email: string) {
  const folder = join(dataDir, 'outbox');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
  const mails = await Promise.all(
    names.map(async (name) => simpleParser(await readFile(join(folder, name)))),
  );
  const mine = mails.filter(({ to }) => [to].flat().some((each) => each?.text.includes(email)));
  return mine.map(({ text }) => text ?? '');
}
