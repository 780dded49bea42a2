import { and, eq, gt, isNull, lte, min, or, sql, type InferSelectModel, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../db/database.ts';

/** Due time that is in the past by every clock. The clocks of the servers and of the database may differ. */
export const DUE_IMMEDIATELY = new Date(0);

/** A leased row. `dueAt` is the end of the lease, by the program's clock. */
export type LeasedJob = { id: number; attempts: number; dueAt: Date };

type JobTable = PgTable & Record<keyof LeasedJob, PgColumn>;

type Options = {
  /** Column that is null until a job has failed. */
  lastError?: PgColumn;
  /** Condition for rows that are open jobs. By default, all rows are open jobs. */
  open?: SQL;
  order: (PgColumn | SQL)[];
};

/** Changes to the row of a postponed job. */
export type Postponement = {
  dueAt: Date;
  /** False if the current attempt should not be counted. */
  isCounted?: boolean;
  /** Other columns to update. */
  set?: Record<string, unknown>;
};

/**
 * Creates a queue that leases the rows of a table, one at a time, to any number of workers in any number of
 * processes. If a worker dies, its row becomes available when the lease expires. A worker can't change the
 * row any more after another worker has leased it.
 */
export function createJobQueue<T extends JobTable>(db: Db, table: T, { open, order, lastError }: Options) {
  type Row = InferSelectModel<T> & LeasedJob;

  const rows: PgTable = table;
  const update = (columns: Record<string, unknown>, which: SQL | undefined) =>
    db.update(rows).set(columns).where(which);

  /**
   * Matches the job only while it is leased to this worker. The worker is identified by the end of its lease.
   */
  const isOurs = ({ id, dueAt }: LeasedJob) => and(eq(table.id, id), eq(table.dueAt, dueAt), open);

  return {
    isOurs,

    /**
     * Leases the next row that is due, and counts an attempt.
     * @param lease end of the lease
     * @returns null if no row is due, or if other workers are leasing all due rows at this moment
     */
    async leaseNext(now: Date, lease: Date): Promise<Row | null> {
      const due = db
        .select({ id: table.id })
        .from(rows)
        .where(and(open, lte(table.dueAt, now)))
        .orderBy(...order)
        .limit(1)
        .for('update', { skipLocked: true });
      const [row] = await update(
        { dueAt: lease, attempts: sql`${table.attempts} + 1` },
        eq(table.id, due),
      ).returning();
      return (row as Row | undefined) ?? null;
    },

    async renew(job: LeasedJob, lease: Date): Promise<void> {
      await update({ dueAt: lease }, isOurs(job));
      job.dueAt = lease;
    },

    async postpone(job: LeasedJob, { dueAt, isCounted = true, set }: Postponement): Promise<void> {
      await update({ ...set, dueAt, attempts: job.attempts - (isCounted ? 0 : 1) }, isOurs(job));
    },

    /**
     * Deletes the row of a finished job.
     * @returns false if the lease was lost
     */
    async finish(job: LeasedJob): Promise<boolean> {
      return ((await db.delete(rows).where(isOurs(job))).rowCount ?? 0) > 0;
    },

    /**
     * Returns the earliest due time in the future; null if there is none. A row's due time is in the future
     * if the row is deferred, waits for a retry, or is leased.
     */
    async nextDue(now: Date): Promise<Date | null> {
      const [row] = await db
        .select({ at: min(table.dueAt) })
        .from(rows)
        .where(and(open, gt(table.dueAt, now)));
      return (row?.at as Date | null | undefined) ?? null;
    },

    /**
     * Ends the leases of dead workers. Must be called only if no other process can be running. A row counts
     * as leased if its due time is at most the duration of a lease from now. This also matches a row that
     * will be retried within that time, so it is retried a little early. If the table has `lastError`, a row
     * that has been attempted but has never failed also counts as leased, whatever its due time, because the
     * clock may have been set back.
     * @param lease end of a lease that would start now
     */
    async endLeases(now: Date, lease: Date): Promise<void> {
      const isWithinLease = and(gt(table.dueAt, now), lte(table.dueAt, lease));
      const isLeased = lastError ? or(isNull(lastError), isWithinLease) : isWithinLease;
      await update({ dueAt: DUE_IMMEDIATELY }, and(open, gt(table.attempts, 0), isLeased));
    },

    /** Counts the open jobs, but only up to `most`, so that the cost is bounded. */
    countOpen: (most: number) =>
      db.$count(db.select({ id: table.id }).from(rows).where(open).limit(most).as('open')),
  };
}
