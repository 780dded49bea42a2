import { byteSizeInWords } from '../../../platform/contract/byte-size.ts';
import type { Notice } from '../contract.ts';

const ASK = 'Please show this to whoever looks after the server.';

/** A notice as the teacher reads it: what has happened, what is safe, and what to do. */
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
    case 'files-damaged':
      return {
        title: 'Some stored files are damaged',
        text: `${damageIn(figure('missing'), figure('changed'))} What they hold can’t be heard or seen as it was sent. All other files are as they were. ${ASK} A backup may still have them.`,
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
