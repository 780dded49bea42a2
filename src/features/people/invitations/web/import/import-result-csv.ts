import { toCsv } from '#shared/csv.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { describePeopleImportRow } from './row-status.ts';
import type { PeopleTableRow } from './use-people-import.ts';

/** Returns a CSV file with the result of each row. */
export function createPeopleImportResultCsv(
  rows: readonly PeopleTableRow[],
  levels: readonly Level[],
  sendsMail: boolean,
): Blob {
  const table = rows.map((shown) => [
    shown.row.row,
    shown.row.firstName,
    shown.row.lastName,
    shown.row.email,
    joinLevelNames(shown.levels, levels),
    describePeopleImportRow(shown, levels, sendsMail).text,
  ]);
  return new Blob([toCsv([['Row', 'First name', 'Last name', 'Email', 'Levels', 'Result'], ...table])], {
    type: 'text/csv',
  });
}

export const joinLevelNames = (ids: readonly number[], levels: readonly Level[]) =>
  levels
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
