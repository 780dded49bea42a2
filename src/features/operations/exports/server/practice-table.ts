import type { PracticeLogService } from '#features/practice/log/server/service.ts';
import type { RunQueuedQuery } from './archive.ts';
import type { CsvRow } from '#shared/csv.ts';

const COLUMNS = ['Day', 'Melody', 'Minutes', 'Times sung'];

/** Lists a student's practice, newest first. Practice from before the log existed is last and has no date. */
export async function buildPracticeTable(
  log: PracticeLogService,
  student: { id: string },
  inTurn: RunQueuedQuery,
): Promise<CsvRow[]> {
  const rows: CsvRow[] = [COLUMNS];
  let page = await inTurn(() => log.listAllDays(student.id));
  while (page.length > 0) {
    for (const { day, title, seconds, times } of page) rows.push([day, title, toMinutes(seconds), times]);
    const last = page.at(-1)!;
    page = await inTurn(() => log.listAllDays(student.id, last));
  }
  for (const { title, sungBefore } of await inTurn(() => log.listSungBefore(student.id)))
    rows.push(['', title, '', sungBefore]);
  return rows;
}

const toMinutes = (seconds: number) => Math.round(seconds / 6) / 10;
