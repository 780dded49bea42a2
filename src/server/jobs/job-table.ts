import { and, eq, gt, isNull, lte, min, or, sql, type InferSelectModel, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../db/database.ts';

/** A due time in the past by every clock, because servers and database may disagree. */
export const DUE_IMMEDIATELY = new Date(0);

/** A leased row. While a worker has it, `dueAt` is when its lease expires, by the program's clock. */
export type Job = { id: number; attempts: number; dueAt: Date };

type JobTable = PgTable & Record<keyof Job, PgColumn>;

type Options = {
  /** Column that is null until a job has failed. */
  lastError?: PgColumn;
  /** Selects the rows that are jobs; by default all. */
  open?: SQL;
  order: (PgColumn | SQL)[];
};

/** How to postpone a job. */
export type Postponement = {
  dueAt: Date;
  /** False if this attempt does not count. */
  isCounted?: boolean;
  /** Other columns to update. */
  set?: Record<string, unknown>;
};

/**
 * Leases the rows of a table, one at a time, to any number of workers in any number of processes. A worker that dies
 * keeps its row until the lease expires. A worker whose lease has expired can't change the row any more.
 */
export function createJobQueue<T extends JobTable>(db: Db, table: T, { open, order, lastError }: Options) {
  type Row = InferSelectModel<T> & Job;

  const rows: PgTable = table;
  const update = (columns: Record<string, unknown>, which: SQL | undefined) =>
    db.update(rows).set(columns).where(which);

  /** Matches the job only while it is leased to us: the lease's expiry identifies the worker. */
  const isOurs = ({ id, dueAt }: Job) => and(eq(table.id, id), eq(table.dueAt, dueAt), open);

  return {
    isOurs,

    /**
     * Leases the next row that is due.
     * @returns null if no row is due, or others have leased all of them
     */
    async take(now: Date, lease: Date): Promise<Row | null> {
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

    async renew(job: Job, lease: Date): Promise<void> {
      await update({ dueAt: lease }, isOurs(job));
      job.dueAt = lease;
    },

    async postpone(job: Job, { dueAt, isCounted = true, set }: Postponement): Promise<void> {
      await update({ ...set, dueAt, attempts: job.attempts - (isCounted ? 0 : 1) }, isOurs(job));
    },

    /** Deletes a row whose job is done. @returns false if the lease was lost */
    async finish(job: Job): Promise<boolean> {
      return ((await db.delete(rows).where(isOurs(job))).rowCount ?? 0) > 0;
    },

    /** Returns when the next row falls due that is not due now: deferred, waiting for its retry, or leased. */
    async nextDue(now: Date): Promise<Date | null> {
      const [row] = await db
        .select({ at: min(table.dueAt) })
        .from(rows)
        .where(and(open, gt(table.dueAt, now)));
      return (row?.at as Date | null | undefined) ?? null;
    },

    /**
     * Ends the leases of dead workers. Call it only when no other process can be running. A lease is recognized by a
     * due time within one lease from now. A row that waits briefly for its retry matches too, and is retried a
     * little early. A row that was taken and never failed is certainly leased, even if the clock was set back.
     * @param lease when a lease taken now would expire
     */
    async endLeases(now: Date, lease: Date): Promise<void> {
      const isWithinLease = and(gt(table.dueAt, now), lte(table.dueAt, lease));
      const isLeased = lastError ? or(isNull(lastError), isWithinLease) : isWithinLease;
      await update({ dueAt: DUE_IMMEDIATELY }, and(open, gt(table.attempts, 0), isLeased));
    },

    /** Counts the open jobs up to `most`, so that the cost is bounded. */
    countOpen: (most: number) =>
      db.$count(db.select({ id: table.id }).from(rows).where(open).limit(most).as('open')),
  };
}
