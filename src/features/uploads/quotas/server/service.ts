import type { Db } from '#server/db/database.ts';
import { formatByteSize } from '#shared/byte-size.ts';
import { AppError } from '#shared/errors.ts';
import type { Clock } from '#server/clock.ts';
import type { Settings } from '#server/config/settings.ts';
import * as store from './store.ts';

export type QuotasService = ReturnType<typeof createQuotasService>;

const DAY_MS = 24 * 60 * 60 * 1000;

type Sent = { at: Date; size: number };

/**
 * Creates the service that limits how much one student may send within any 24 hours. A withdrawn recording no
 * longer counts.
 */
export function createQuotasService(deps: { settings: Pick<Settings, 'studentDaily'>; clock: Clock }) {
  const { clock } = deps;
  const limits = deps.settings.studentDaily;
  const aDayAgo = () => new Date(clock().getTime() - DAY_MS);

  const isWithinQuota = (sent: readonly Sent[], size: number) =>
    sent.length < limits.recordings && sumSizes(sent) + size <= limits.bytes;

  /**
   * @throws AppError 'too-many', with the number of seconds until enough of the oldest recordings are a day
   * old
   */
  function assertWithinQuota(sent: Sent[], size: number) {
    if (isWithinQuota(sent, size)) return;
    const sentence =
      sent.length >= limits.recordings ? describeTooMany(limits.recordings) : describeTooMuch(limits.bytes);
    const oldestFirst = sent.sort((a, b) => a.at.getTime() - b.at.getTime());
    const making = oldestFirst.find((_, index) => isWithinQuota(oldestFirst.slice(index + 1), size));
    const again = (making?.at ?? clock()).getTime() + DAY_MS - clock().getTime();
    throw new AppError('too-many', sentence, { retryAfter: Math.max(1, Math.ceil(again / 1000)) });
  }

  const listSent = (db: Db, studentId: string) =>
    store.listRecordingsSentSince(db, studentId, aDayAgo(), limits.recordings);

  return {
    /**
     * Checks whether a student may start an upload, given the uploads in progress. Always passes if `clientId`
     * has already become a recording.
     * @throws AppError 'too-many' with the number of seconds to wait
     */
    async assertCanBegin(db: Db, studentId: string, clientId: string, size: number): Promise<void> {
      if (await store.hasRecordingWithClientId(db, studentId, clientId)) return;
      const unfinished = await store.listUnfinishedUploadsSince(db, studentId, aDayAgo());
      assertWithinQuota([...(await listSent(db, studentId)), ...unfinished], size);
    },

    /**
     * Checks the quota before the server inspects the audio of a recording.
     * @throws AppError 'too-many'
     */
    async assertCanStore(db: Db, studentId: string, size: number): Promise<void> {
      assertWithinQuota(await listSent(db, studentId), size);
    },

    /**
     * Checks the quota in the transaction that stores the recording, before the insert. Checks for one student
     * are serialized, so that concurrent recordings can't exceed the quota.
     * @throws AppError 'too-many'; 'unauthorized' if the account was deleted in the meantime
     */
    async claim(tx: Db, studentId: string, size: number): Promise<void> {
      if (!(await store.lockStudentQuota(tx, studentId))) throw new AppError('unauthorized', 'Unauthorized');
      assertWithinQuota(await listSent(tx, studentId), size);
    },
  };
}

const sumSizes = (sent: readonly Sent[]) => sent.reduce((sum, { size }) => sum + size, 0);

const describeTooMany = (recordings: number) =>
  `You’ve sent ${recordings === 1 ? '1 recording' : `${recordings} recordings`} in 24 hours, which is the limit.`;
const describeTooMuch = (bytes: number) =>
  `You can send up to ${formatByteSize(bytes)} of recordings in 24 hours, and this one would go over the limit.`;
