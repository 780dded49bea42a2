import { and, eq, gt, isNull, lte, min, or, sql, type InferSelectModel, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../db/database.ts';

/** In the past by every clock: servers and database may disagree. */
export const AT_ONCE = new Date(0);

/** A leased row. While a worker has it, `dueAt` is when its lease expires, by the program's clock. */
export type Job = { id: number; attempts: number; dueAt: Date };

type JobTable = PgTable & Record<keyof Job, PgColumn>;

type Options = {
  /** The column that is null until a job has failed. */
  lastError?: PgColumn;
  /** Which rows are jobs; all by default. */
  open?: SQL;
  order: (PgColumn | SQL)[];
};

/** How a job is postponed. */
export type Postponed = {
  dueAt: Date;
  /** False takes back this attempt. */
  isCounted?: boolean;
  /** Other columns to update. */
  set?: Record<string, unknown>;
};

/**
 * Leases the rows of a table, one at a time, to any number of workers in any number of processes. A worker that dies
 * keeps its row until the lease expires; one whose lease has expired changes nothing more.
 */
export function jobsIn<T extends JobTable>(db: Db, table: T, { open, order, lastError }: Options) {
  type Row = InferSelectModel<T> & Job;

  const rows: PgTable = table;
  const update = (columns: Record<string, unknown>, which: SQL | undefined) =>
    db.update(rows).set(columns).where(which);

  /** The expiry of the lease identifies its holder. */
  const isOurs = ({ id, dueAt }: Job) => and(eq(table.id, id), eq(table.dueAt, dueAt), open);

  return {
    isOurs,

    /** Leases the next row that is due. @returns null if there is none that nobody else has leased */
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

    async postpone(job: Job, { dueAt, isCounted = true, set }: Postponed): Promise<void> {
      await update({ ...set, dueAt, attempts: job.attempts - (isCounted ? 0 : 1) }, isOurs(job));
    },

    /** Deletes a row whose job is done. @returns false if the lease was lost */
    async finish(job: Job): Promise<boolean> {
      return ((await db.delete(rows).where(isOurs(job))).rowCount ?? 0) > 0;
    },

    /** When the next row falls due that is not due now: deferred, waiting for its retry, or leased. */
    async nextDue(now: Date): Promise<Date | null> {
      const [row] = await db
        .select({ at: min(table.dueAt) })
        .from(rows)
        .where(and(open, gt(table.dueAt, now)));
      return (row?.at as Date | null | undefined) ?? null;
    },

    /**
     * Ends the leases of dead workers, for when no other process can be running. Recognizes them by a due time within
     * one lease from now, which a row that waits shortly for its retry has too: it is retried a little early. A row that
     * was taken and never failed is certainly leased, even if the clock was set back.
     * @param lease when a lease taken now would expire
     */
    async endLeases(now: Date, lease: Date): Promise<void> {
      const isWithinLease = and(gt(table.dueAt, now), lte(table.dueAt, lease));
      const isLeased = lastError ? or(isNull(lastError), isWithinLease) : isWithinLease;
      await update({ dueAt: AT_ONCE }, and(open, gt(table.attempts, 0), isLeased));
    },

    /** Counted up to `most`, so that it costs the same however many there are. */
    countOpen: (most: number) =>
      db.$count(db.select({ id: table.id }).from(rows).where(open).limit(most).as('open')),
  };
}
