import type { Db } from '../../../db/database.ts';
import { notFound } from '../../../platform/contract/errors.ts';
import type { Caller } from '../../../platform/server/sessions.ts';
import type { RecordingLines } from '../contract.ts';
import { SURE } from '../limits.ts';
import * as store from './store.ts';

export type RecordingLinesService = ReturnType<typeof recordingLinesService>;

export function recordingLinesService({ db }: { db: Db }) {
  return {
    /** Has the lines of a recording found once the transaction has committed, if its melody has timings and audio. */
    queueRecording: store.queueRecording,

    /** Has those of all recordings of a melody found again, after its timings or its audio have changed. */
    queueOfMelody: store.queueOfMelody,

    /** @throws AppError 'not-found' also for another student's recording */
    async ofRecording(caller: Pick<Caller, 'id' | 'role'>, recordingId: number): Promise<RecordingLines> {
      const found = await store.findLines(db, recordingId, caller.role === 'admin' ? null : caller.id);
      if (!found) throw notFound('Recording not found.');
      if (!found.isTimed) return { state: 'none', lines: [] };
      if (found.isQueued || !found.lines) return { state: found.isQueued ? 'working' : 'none', lines: [] };
      const isReady = found.lines.some(({ sure }) => sure >= SURE);
      return isReady ? { state: 'ready', lines: found.lines } : { state: 'unsure', lines: [] };
    },
  };
}
