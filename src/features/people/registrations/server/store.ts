import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/database.ts';
import { isRowAfterDescending } from '#server/db/row-order.ts';
import { registrationRequests } from '#server/db/schema.ts';
import { paginate } from '#server/db/page.ts';
import { MAX_RECENT_APPROVALS, REGISTRATION_REQUESTS_PAGE_SIZE } from '../limits.ts';

/**
 * Columns of a request. The status has a narrower type than its column, because only 'pending' and 'approved'
 * are ever written.
 */
const columns = {
  id: registrationRequests.id,
  fullName: registrationRequests.fullName,
  email: registrationRequests.email,
  status: sql<'pending' | 'approved'>`${registrationRequests.status}`,
  requestedAt: registrationRequests.requestedAt,
  processedAt: registrationRequests.processedAt,
};

export type RegistrationRequest = NonNullable<Awaited<ReturnType<typeof findRegistrationRequest>>>;

/**
 * Inserts a pending request, unless the email has a pending request (enforced by a unique index) or an account.
 * Uses a single statement, so that the timing reveals little about whether the email is known.
 */
export const insertPendingRegistrationRequest = (db: Db, request: { fullName: string; email: string }) =>
  db.execute(sql`
    insert into registration_requests (full_name, email)
    select ${request.fullName}, ${request.email}
    where not exists (select 1 from users where lower(users.email) = ${request.email})
    on conflict do nothing`);

type Status = 'pending' | 'approved';

export type RegistrationRequestFilter = {
  status?: Status | undefined;
  /** Cursor: time and id of the last request on the previous page. */
  after?: readonly [Date, number] | undefined;
};

/** Returns a page of requests, newest first. */
export async function listRegistrationRequests(db: Db, { status, after }: RegistrationRequestFilter) {
  const { requestedAt, id } = registrationRequests;
  const rows = await db
    .select(columns)
    .from(registrationRequests)
    .where(and(hasStatus(status), after && isRowAfterDescending([requestedAt, id], after)))
    .orderBy(desc(requestedAt), desc(id))
    .limit(REGISTRATION_REQUESTS_PAGE_SIZE + 1);
  return paginate(
    rows,
    REGISTRATION_REQUESTS_PAGE_SIZE,
    await countRegistrationRequests(db, status),
    (last) => ({
      after: [last.requestedAt, last.id],
    }),
  );
}

export const countRegistrationRequests = (db: Db, status: Status | undefined) =>
  db.$count(registrationRequests, hasStatus(status));

const hasStatus = (status: Status | undefined) => status && eq(registrationRequests.status, status);

export const listRecentApprovals = (db: Db) =>
  db
    .select(columns)
    .from(registrationRequests)
    .where(hasStatus('approved'))
    .orderBy(sql`${registrationRequests.processedAt} desc nulls last`, desc(registrationRequests.id))
    .limit(MAX_RECENT_APPROVALS);

export async function findRegistrationRequest(db: Db, id: number) {
  const [row] = await db.select(columns).from(registrationRequests).where(eq(registrationRequests.id, id));
  return row ?? null;
}

/** Locks a request until the transaction ends, and returns it; null if there is no such request. */
export async function lockRegistrationRequest(tx: Db, id: number) {
  const [row] = await tx
    .select(columns)
    .from(registrationRequests)
    .where(eq(registrationRequests.id, id))
    .for('update');
  return row ?? null;
}

export const markRequestApproved = (
  tx: Db,
  id: number,
  processed: { processedAt: Date; processedBy: string },
) =>
  tx
    .update(registrationRequests)
    .set({ status: 'approved', ...processed })
    .where(eq(registrationRequests.id, id));

/** @returns the name on the request, or null if there is no such request */
export async function deleteRegistrationRequest(tx: Db, id: number) {
  const [row] = await tx
    .delete(registrationRequests)
    .where(eq(registrationRequests.id, id))
    .returning({ fullName: registrationRequests.fullName });
  return row?.fullName ?? null;
}
