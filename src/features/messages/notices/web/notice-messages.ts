import { formatByteSize } from '#shared/byte-size.ts';
import type { ServerNotice } from '../contract.ts';

export const ASK_OPERATOR = 'Please show this to whoever runs the server.';

/** Returns a notice's text for the teacher: what has happened, what is safe, and what to do. */
export function getNoticeMessage({ kind, detail }: ServerNotice): { title: string; text: string } {
  const figure = (name: string) => detail[name] ?? 0;
  switch (kind) {
    case 'disk-low':
      return {
        title: 'The server is almost out of space',
        text: `Less than ${formatByteSize(figure('least'))} is left on its disk, so new recordings, audio feedback and melody files may be refused. Everything sent so far is safe, new recordings wait on students’ devices, and written feedback still works. ${ASK_OPERATOR}`,
      };
    case 'sweep-held':
      return {
        title: 'Cleaning up stored files was paused',
        text: `${figure('files').toLocaleString('en')} of ${figure('of').toLocaleString('en')} stored files don’t seem to belong to anything, which is more than there should be. An older database may have been restored. Nothing was moved or deleted, and you can keep working. ${ASK_OPERATOR}`,
      };
    case 'backup-failed':
      return {
        title: 'Last night’s backup failed',
        text: `Nothing is lost, and you can keep working. But if the server broke now, everything since the last backup would be gone. The backup is tried again every hour. ${ASK_OPERATOR}`,
      };
    case 'backup-overdue':
      return {
        title: figure('taken') > 0 ? `The last backup is ${figure('days')} days old` : 'No backup yet',
        text: `There should be a backup every night. Nothing is lost so far, but anything not backed up would be gone if the server broke. ${ASK_OPERATOR}`,
      };
    case 'no-backup':
      return {
        title: 'No backup yet',
        text: 'To back up every night, ask whoever runs the server to set BACKUP_DIR. Until then, if the server broke, recordings and feedback could be lost.',
      };
    case 'restore-failed':
      return {
        title: 'The last backup couldn’t be restored in a test',
        text: `Nothing is lost, and you can keep working. But if the server broke now, this backup might not help. The test is repeated every night. ${ASK_OPERATOR}`,
      };
    case 'restore-untested':
      return {
        title: 'The backups can’t be tested',
        text: `Once a month, the newest backup is restored in a test. ${figure('noRoom') > 0 ? 'The server’s disk has too little space for that.' : 'That isn’t possible on this server.'} Backups are still made every night. ${ASK_OPERATOR}`,
      };
    case 'bucket-missing':
      return {
        title: 'The storage for recordings can’t be found',
        text: `Until it’s back, recordings and melodies can’t be played or sent. New recordings wait on students’ devices, and written feedback still works. ${ASK_OPERATOR} They should check S3_BUCKET and whether the bucket still exists.`,
      };
    case 'files-damaged':
      return {
        title: 'Some stored files are damaged',
        text: `${describeDamage(figure('missing'), figure('changed'))} All other files are fine. ${ASK_OPERATOR} If the nightly backups have undamaged copies, these are kept.`,
      };
  }
}

function describeDamage(missing: number, changed: number): string {
  const parts = [
    ...(missing > 0 ? [`${formatFileCount(missing)} missing`] : []),
    ...(changed > 0 ? [`${formatFileCount(changed)} damaged`] : []),
  ];
  const found = parts.join(', and ') || 'Some are missing or damaged';
  return missing + changed === 1
    ? `${found}. It can’t be played or shown as it was sent.`
    : `${found}. They can’t be played or shown as they were sent.`;
}

/** Formats a number as '1 file is' or '1,200 files are'. */
export const formatFileCount = (files: number) =>
  files === 1 ? '1 file is' : `${files.toLocaleString('en')} files are`;
