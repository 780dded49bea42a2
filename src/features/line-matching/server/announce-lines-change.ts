import type { Db } from '#server/db/database.ts';
import { ALL_ADMINS, announceChange } from '#server/db/changes.ts';
import * as store from './store.ts';

/**
 * Notifies open pages that a recording's lines have changed, and notifies the inbox if the recording is
 * pending.
 */
export async function announceLinesChange(tx: Db, recordingId: number): Promise<void> {
  const owner = await store.findRecordingOwner(tx, recordingId);
  if (!owner) return;
  await announceChange(tx, {
    to: [owner.studentId, ALL_ADMINS],
    refreshes: [`/api/recordings/${recordingId}/lines`],
  });
  // Refreshes the inbox, because it shows which lines of each recording were left out.
  if (owner.status === 'pending')
    await announceChange(tx, { to: ALL_ADMINS, refreshes: ['/api/recordings/pending'] });
}
