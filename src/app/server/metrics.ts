import type { Database } from '#server/db/database.ts';
import type { MailService } from '#features/messages/mail/server/service.ts';
import type { UploadsService } from '#features/uploads/server/service.ts';
import type { DiskSpace } from '#server/media/disk-space.ts';
import { gauge, type Family } from '#server/metrics/families.ts';
import { watchProcess } from '#server/metrics/process.ts';
import { remembered } from '#server/metrics/remembered.ts';
import { requestCounts } from '#server/metrics/requests.ts';
import type { Settings } from '#server/config/settings.ts';
import { withTimeout } from '#server/concurrency/with-timeout.ts';

/** How long what the database says stays as it is: Prometheus asks every 15 seconds, or several do. */
const REMEMBERED_FOR_MS = 10_000;
/** What the database or the disk does not say within this time is left out. */
const ANSWER_MS = 1_000;

/**
 * What an operator's monitoring wants to know; of people it says nothing but how many of something there are.
 * @param token what opens it
 */
export function createMetrics(
  token: string,
  { settings, database, disk }: { settings: Settings; database: Database; disk: DiskSpace },
  { mail, uploads }: { mail: MailService; uploads: UploadsService },
) {
  const requests = requestCounts();
  const ofProcess = watchProcess();
  const stored = remembered(
    async () => ({ mails: await mail.countOpen(), files: await uploads.sumOpen() }),
    REMEMBERED_FOR_MS,
  );

  function ofPool(): Family[] {
    const { totalCount, idleCount, waitingCount } = database.pool;
    const name = 'yangchen_database_pool';
    return [
      gauge(`${name}_max`, 'The most connections that this process makes.', settings.databasePool),
      gauge(`${name}_size`, 'Connections of this process to the database.', totalCount),
      gauge(`${name}_idle`, 'Of them, those that nobody uses.', idleCount),
      gauge(`${name}_waiting`, 'Queries that wait for a connection.', waitingCount),
    ];
  }

  async function ofStored(): Promise<Family[]> {
    const found = await withTimeout(ANSWER_MS, stored()).catch(() => null);
    const isUp = gauge('yangchen_database_up', 'Whether the database answers.', found ? 1 : 0);
    if (!found) return [isUp];
    const { mails, files } = found;
    return [
      isUp,
      gauge('yangchen_mails_waiting', `Mails to be sent, up to ${mails.most}.`, mails.waiting),
      gauge('yangchen_mails_failed', `Mails that were given up, up to ${mails.most}.`, mails.failed),
      gauge('yangchen_uploads_open', `Uploads that are not complete, up to ${files.most}.`, files.count),
      gauge('yangchen_uploads_open_bytes', 'What has come of them.', files.bytes),
    ];
  }

  async function ofDisk(): Promise<Family[]> {
    const size = await withTimeout(ANSWER_MS, disk.size()).catch(() => null);
    // Some file systems do not tell.
    if (!size || size.total === 0) return [];
    return [
      gauge('yangchen_disk_free_bytes', 'Free on the disk of the data folder.', size.free),
      gauge('yangchen_disk_size_bytes', 'The disk of the data folder.', size.total),
      gauge(
        'yangchen_disk_reserve_bytes',
        'What new recordings and files leave free.',
        Math.round(size.least),
      ),
    ];
  }

  return {
    token,
    requests,
    collect: async (): Promise<Family[]> => {
      const [fromDatabase, fromDisk] = await Promise.all([ofStored(), ofDisk()]);
      return [...ofProcess.families(), ...requests.families(), ...ofPool(), ...fromDatabase, ...fromDisk];
    },
    stop: ofProcess.stop,
  };
}
