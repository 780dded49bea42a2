import type { Row } from '#shared/csv.ts';
import type { AgreementsService } from '#features/teaching-notes/agreements/server/service.ts';
import { placeOf } from '#features/feedback/marks.ts';
import type { Archive } from './archive.ts';
import { moment } from './texts.ts';

const COLUMNS = [
  ...['Asked', 'Recording', 'Passage', 'Asked to show name', 'State'],
  ...['Answered', 'Signed', 'Name shown', 'Stopped sharing'],
];

/** Lists what a student was asked to share and the answers, newest first. */
export async function agreementsTable(
  agreements: AgreementsService,
  student: { id: string },
  { pagesOf }: Pick<Archive, 'pagesOf'>,
): Promise<Row[]> {
  const rows: Row[] = [COLUMNS];
  const at = (time: Date | null) => time && moment(time);
  for await (const page of pagesOf('agreements', (before) => agreements.listEver(student, before)))
    for (const one of page)
      rows.push([
        ...[moment(one.askedAt), one.title, placeOf(one), one.wantsName ? 'yes' : 'no', one.state],
        ...[at(one.answeredAt), one.signature, one.name, at(one.revokedAt)],
      ]);
  return rows;
}
