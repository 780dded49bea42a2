import type { Db } from '#server/db/database.ts';
import { badInput } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { NewsService } from '#features/messages/notifications/server/service.ts';
import type { RecordingsService } from '#features/recordings/server/service.ts';
import { ASIDE_DAYS_MAX } from '#features/feedback/limits.ts';
import { noSuchRecording } from '../drafts.ts';
import * as store from './store.ts';

type Admin = Pick<Caller, 'id'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Pending recordings that an admin puts aside; nobody else sees any of it. */
export function putAsideIn(deps: { db: Db; recordings: RecordingsService; news: NewsService; clock: Clock }) {
  const { db, recordings, news, clock } = deps;
  return {
    aside: (admin: Admin, after?: readonly [number]) => store.listAside(db, admin.id, after),

    /**
     * Until a moment; null takes the recording up again.
     * @throws AppError 'bad-input' (not within a year), 'not-found' (also one that is answered)
     */
    async putAside(recordingId: number, until: Date | null, admin: Admin) {
      const days = until === null ? 0 : (until.getTime() - clock().getTime()) / DAY_MS;
      if (days < 0 || days > ASIDE_DAYS_MAX) throw badInput('Please choose a day within a year.');
      await db.transaction(async (tx) => {
        if (!(await recordings.lockPending(tx, recordingId))) throw noSuchRecording();
        if (until === null) await store.takeUp(tx, recordingId, admin.id);
        else await store.putAside(tx, { recordingId, adminId: admin.id, until });
        await news.asideChanged(tx, admin.id);
      });
    },
  };
}
