import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { mails } from '../../../db/schema.ts';

/** What is sent, and to which user. */
export type Mail = {
  kind: (typeof mails.$inferInsert)['kind'];
  userId: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
};

/** Long past by everybody's clock: two servers', and the database's, may tell different times. */
export const AT_ONCE = new Date(0);

/** On this channel workers are told that there is mail; the table is what counts. */
export const MAIL_CHANNEL = 'mail';

/**
 * Puts a mail into the queue, to be sent once the transaction has committed: no mail without what caused it, and
 * nothing caused without its mail.
 * @param notBefore by the program's clock
 */
export async function queueMail(tx: Db, mail: Mail, notBefore = AT_ONCE): Promise<void> {
  await tx.insert(mails).values({ ...mail, dueAt: notBefore });
  await tx.execute(sql`select pg_notify(${MAIL_CHANNEL}, '')`);
}
