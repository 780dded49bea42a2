import type { CsvRow } from '#shared/csv.ts';
import type { AgreementsService } from '#features/teaching-notes/agreements/server/service.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import type { ExportArchive } from './archive.ts';
import { formatUtcDateTime } from './texts.ts';

const COLUMNS = [
  ...['Asked', 'Recording', 'Passage', 'Asked to show name', 'Status'],
  ...['Answered', 'Signed', 'Name shown', 'Stopped sharing'],
];

/** Lists the passages that a student was asked to share and the student's answers, newest first. */
export async function buildAgreementsTable(
  agreements: AgreementsService,
  student: { id: string },
  { readPages }: Pick<ExportArchive, 'readPages'>,
): Promise<CsvRow[]> {
  const rows: CsvRow[] = [COLUMNS];
  const at = (time: Date | null) => time && formatUtcDateTime(time);
  for await (const page of readPages({ one: 'agreement', many: 'agreements' }, (before) =>
    agreements.listHistory(student, before),
  ))
    for (const one of page)
      rows.push([
        ...[
          formatUtcDateTime(one.askedAt),
          one.title,
          formatMarkTime(one),
          one.wantsName ? 'yes' : 'no',
          one.state,
        ],
        ...[at(one.answeredAt), one.signature, one.name, at(one.revokedAt)],
      ]);
  return rows;
}
