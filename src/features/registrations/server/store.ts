import { desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { registrationRequests } from '../../../db/schema.ts';

/** Nothing ever writes another status. */
const columns = {
  id: registrationRequests.id,
  fullName: registrationRequests.fullName,
  email: registrationRequests.email,
  status: sql<'pending' | 'approved'>`${registrationRequests.status}`,
  requestedAt: registrationRequests.requestedAt,
  processedAt: registrationRequests.processedAt,
};

export type Request = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

/**
 * A no-op for an email that is already pending (by a unique index) or has an account. A single statement, so that its
 * timing reveals little about which it was.
 */
export const insertPending = (db: Db, request: { fullName: string; email: string }) =>
  db.execute(sql`
    insert into registration_requests (full_name, email)
    select ${request.fullName}, ${request.email}
    where not exists (select 1 from users where lower(users.email) = ${request.email})
    on conflict do nothing`);

/** Newest first. */
export const listRequests = (db: Db) =>
  db
    .select(columns)
    .from(registrationRequests)
    .orderBy(desc(registrationRequests.requestedAt), desc(registrationRequests.id));

export async function findRequest(db: Db, id: number) {
  const [row] = await db.select(columns).from(registrationRequests).where(eq(registrationRequests.id, id));
  return row ?? null;
}

/** Locks the request until the transaction ends. */
export async function lockRequest(tx: Db, id: number) {
  const [row] = await tx
    .select(columns)
    .from(registrationRequests)
    .where(eq(registrationRequests.id, id))
    .for('update');
  return row ?? null;
}

export const markApproved = (tx: Db, id: number, processed: { processedAt: Date; processedBy: string }) =>
  tx
    .update(registrationRequests)
    .set({ status: 'approved', ...processed })
    .where(eq(registrationRequests.id, id));

/** @returns the name on the request, null if there is no such request */
export async function deleteRequest(tx: Db, id: number) {
  const [row] = await tx
    .delete(registrationRequests)
    .where(eq(registrationRequests.id, id))
    .returning({ fullName: registrationRequests.fullName });
  return row?.fullName ?? null;
}
