import type { PracticeLogService } from '#features/practice/log/server/service.ts';
import type { InTurn } from './archive.ts';
import type { Row } from '#shared/csv.ts';

const COLUMNS = ['Day', 'Melody', 'Minutes', 'Times sung'];

/** Lists a student's practice, newest day first. Practice from before the log has no day. */
export async function practiceTable(
  log: PracticeLogService,
  student: { id: string },
  inTurn: InTurn,
): Promise<Row[]> {
  const rows: Row[] = [COLUMNS];
  let page = await inTurn(() => log.everyDay(student.id));
  while (page.length > 0) {
    for (const { day, title, seconds, times } of page) rows.push([day, title, minutes(seconds), times]);
    const last = page.at(-1)!;
    page = await inTurn(() => log.everyDay(student.id, last));
  }
  for (const { title, sungBefore } of await inTurn(() => log.sungBefore(student.id)))
    rows.push(['', title, '', sungBefore]);
  return rows;
}

const minutes = (seconds: number) => Math.round(seconds / 6) / 10;
