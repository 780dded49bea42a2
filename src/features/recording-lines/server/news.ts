import type { Db } from '../../../db/database.ts';
import { ADMINS, announceChange } from '../../../platform/server/changes.ts';
import * as store from './store.ts';

/**
 * Says to open pages that the lines of a recording are others now. Nothing else is asked for anew: the recordings of
 * years are worked on one after the other.
 */
export async function tellOfLines(tx: Db, recordingId: number): Promise<void> {
  const owner = await store.findOwner(tx, recordingId);
  if (!owner) return;
  await announceChange(tx, {
    to: [owner.studentId, ADMINS],
    refreshes: [`/api/recordings/${recordingId}/lines`],
  });
  // The inbox says of each which lines were left out.
  if (owner.status === 'pending')
    await announceChange(tx, { to: ADMINS, refreshes: ['/api/recordings/pending'] });
}
