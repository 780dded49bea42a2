import { csvOf } from '#shared/csv.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { happening } from './happening.ts';
import type { ShownRow } from './use-import.ts';

/** Returns a CSV file with the result of each row. */
export function resultFile(rows: readonly ShownRow[], levels: readonly Level[], sendsMail: boolean): Blob {
  const table = rows.map((shown) => [
    shown.row.row,
    shown.row.firstName,
    shown.row.lastName,
    shown.row.email,
    namesOf(shown.levels, levels),
    happening(shown, levels, sendsMail).text,
  ]);
  return new Blob([csvOf([['Row', 'First name', 'Last name', 'Email', 'Levels', 'Result'], ...table])], {
    type: 'text/csv',
  });
}

export const namesOf = (ids: readonly number[], levels: readonly Level[]) =>
  levels
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
