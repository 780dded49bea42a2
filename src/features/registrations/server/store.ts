import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { registrationRequests, users } from '../../../db/schema.ts';

/** Nothing for an email that is waiting already (a unique index says so) or that has an account. */
export async function insertPending(db: Db, request: { fullName: string; email: string }) {
  const account = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = ${request.email}`)
    .limit(1);
  if (account.length > 0) return;
  await db.insert(registrationRequests).values(request).onConflictDoNothing();
}
