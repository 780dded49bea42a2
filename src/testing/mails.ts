import { asc, eq } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { mails } from '#server/db/schema.ts';

/** Returns all emails to an email address, queued or sent, oldest first. */
export const listMailsTo = (db: Db, recipient: string) =>
  db.select().from(mails).where(eq(mails.recipient, recipient)).orderBy(asc(mails.id));

/** Extracts the username and the password from an email, as its reader would copy them. */
export function parseMailedCredentials({ text }: { text: string | null }) {
  const value = (name: string) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text ?? '')?.[1] ?? '';
  return { username: value('Username'), password: value('Password') };
}
