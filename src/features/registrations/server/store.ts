import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';

/**
 * Nothing for an email that is waiting already (a unique index says so) or that has an account. One statement, so
 * that the time it takes says little of which it was.
 */
export const insertPending = (db: Db, request: { fullName: string; email: string }) =>
  db.execute(sql`
    insert into registration_requests (full_name, email)
    select ${request.fullName}, ${request.email}
    where not exists (select 1 from users where lower(users.email) = ${request.email})
    on conflict do nothing`);
