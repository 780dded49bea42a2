import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { and, eq, gt, lt, max, sql, type SQL } from 'drizzle-orm';
import type { Db } from '../../db/database.ts';
import { attempts } from '../../db/schema.ts';

type Kind = (typeof attempts.$inferSelect)['kind'];

export type Tally = { count: number; latest: Date | null };

/** How often it was tried since the window began. */
export type Tallies = { subject: Tally; address: Tally; subjectFromAddress: Tally };

export type Attempts = ReturnType<typeof attemptsIn>;

/** Tries counted in the database, so that a limit survives a restart and holds across processes. */
export function attemptsIn(db: Db) {
  return {
    /**
     * Counts what was tried before and notes this try, as one step: tries that come at the same moment are counted
     * one after the other, so that a burst can't slip under a limit.
     * @param allow throws to refuse; a refused try is not counted
     * @returns takes the try back, for one that succeeded
     */
    async note(
      { kind, subject, address }: { kind: Kind; subject: string; address: string },
      { since, now }: { since: Date; now: Date },
      allow: (tallies: Tallies) => void,
    ): Promise<() => Promise<void>> {
      const row = { kind, subject: hashed(subject), address: network(address), at: now };
      const bySubject = eq(attempts.subject, row.subject);
      const byAddress = eq(attempts.address, row.address);
      const id = await db.transaction(async (tx) => {
        // Always the address before the subject, so that two can't wait for each other.
        for (const key of [row.address, row.subject]) {
          await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${kind} ${key}`}, 0))`);
        }
        const tally = (...where: SQL[]) =>
          count(tx, and(eq(attempts.kind, kind), gt(attempts.at, since), ...where));
        allow({
          subject: await tally(bySubject),
          address: await tally(byAddress),
          subjectFromAddress: await tally(bySubject, byAddress),
        });
        const [noted] = await tx.insert(attempts).values(row).returning({ id: attempts.id });
        return noted!.id;
      });
      return async () => {
        await db.delete(attempts).where(eq(attempts.id, id));
      };
    },

    async forgetBefore(cutoff: Date): Promise<void> {
      await db.delete(attempts).where(lt(attempts.at, cutoff));
    },
  };
}

async function count(db: Db, where: SQL | undefined): Promise<Tally> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int`, latest: max(attempts.at) })
    .from(attempts)
    .where(where);
  return row ?? { count: 0, latest: null };
}

const hashed = (subject: string) => createHash('sha256').update(subject.trim().toLowerCase()).digest('hex');

/** One household has a whole /64 of IPv6, so that counts as one address; mapped IPv4 counts as IPv4. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const all = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
