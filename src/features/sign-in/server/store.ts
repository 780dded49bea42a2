import { createHash } from 'node:crypto';
import { and, eq, gt, lt } from 'drizzle-orm';
import type { Db } from '../../../db/database.ts';
import { knownDevices, mails } from '../../../db/schema.ts';

export async function isKnownDevice(db: Db, userId: string, device: string) {
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.device, hashed(device))));
  return rows.length > 0;
}

/** Whether the user has signed in on any device that is still known. */
export async function hasDevice(db: Db, userId: string) {
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .limit(1);
  return rows.length > 0;
}

/** Whether a mail about a new device was queued for the user since. */
export async function wasMailedSince(db: Db, userId: string, since: Date) {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.kind, 'new-device'), gt(mails.createdAt, since)))
    .limit(1);
  return rows.length > 0;
}

/** Whether we issued this id, rather than somebody making it up. */
export async function isOurDevice(db: Db, device: string) {
  const rows = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(eq(knownDevices.device, hashed(device)))
    .limit(1);
  return rows.length > 0;
}

export async function rememberDevice(db: Db, userId: string, device: string, seenAt: Date) {
  await db
    .insert(knownDevices)
    .values({ userId, device: hashed(device), seenAt })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.device], set: { seenAt } });
}

export async function forgetDevicesBefore(db: Db, cutoff: Date) {
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, cutoff));
}

const hashed = (device: string) => createHash('sha256').update(device).digest('hex');
