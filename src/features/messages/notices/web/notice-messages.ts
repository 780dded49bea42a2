import { byteSizeInWords } from '#shared/byte-size.ts';
import type { Notice } from '../contract.ts';

const ASK = 'Please show this to whoever looks after the server.';

/** Returns a notice's text for the teacher: what has happened, what is safe, and what to do. */
export function noticeMessage({ kind, detail }: Notice): { title: string; text: string } {
  const figure = (name: string) => detail[name] ?? 0;
  switch (kind) {
    case 'disk-low':
      return {
        title: 'The server is running out of room',
        text: `Less than ${byteSizeInWords(figure('least'))} is left on its disk, so new recordings, spoken replies and melody files may be turned away. Everything sent before is safe, students’ recordings wait on their devices, and written feedback still goes through. ${ASK}`,
      };
    case 'sweep-held':
      return {
        title: 'Cleaning up stored files was paused',
        text: `${figure('files').toLocaleString('en')} of ${figure('of').toLocaleString('en')} stored files seem to belong to nothing, which is too many to be right. Nothing was moved or deleted, and you can go on working. Perhaps an older database was restored. ${ASK}`,
      };
    case 'backup-failed':
      return {
        title: 'Last night’s backup could not be taken',
        text: `Nothing is lost, and everything goes on; but if the server broke now, what came since the last backup would be gone. It is tried again each hour. ${ASK}`,
      };
    case 'backup-overdue':
      return {
        title:
          figure('taken') > 0
            ? `The last backup is ${figure('days')} days old`
            : 'No backup has been taken yet',
        text: `A backup should be taken every night. Nothing is lost so far, but if this server broke, everything newer would be gone. ${ASK}`,
      };
    case 'no-backup':
      return {
        title: 'No backup yet',
        text: 'To back up every night, ask whoever runs the server to set BACKUP_DIR. Until then, if the server broke, recordings and feedback could be lost.',
      };
    case 'bucket-missing':
      return {
        title: 'The place where recordings are stored can’t be found',
        text: `Until it is back, recordings and melodies can’t be played or sent. New recordings wait on students’ devices, and written feedback still goes through. ${ASK} They should check S3_BUCKET and whether the bucket still exists.`,
      };
    case 'files-damaged':
      return {
        title: 'Some stored files are damaged',
        text: `${damageIn(figure('missing'), figure('changed'))} What they hold can’t be heard or seen as it was sent. All other files are as they were. ${ASK} If a nightly backup still has undamaged copies, it is kept.`,
      };
  }
}

function damageIn(missing: number, changed: number): string {
  const parts = [
    ...(missing > 0 ? [`${counted(missing)} missing`] : []),
    ...(changed > 0 ? [`${counted(changed)} no longer what was sent`] : []),
  ];
  return `${parts.join(', and ') || 'Some are missing or changed'}.`;
}

const counted = (files: number) => (files === 1 ? '1 file is' : `${files.toLocaleString('en')} files are`);
