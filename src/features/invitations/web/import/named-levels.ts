import type { Level } from '../../../levels/contract.ts';
import { plain } from './columns.ts';

/** The levels that a row gets, and names in the table that are no level's. */
export type GivenLevels = { ids: readonly number[]; unknown: readonly string[] };

/** Levels by their names as a table has them: 'Lung' is 'Lung (Reading Transmission)' if no other level is called so. */
export function levelsNamed(names: readonly string[], levels: readonly Level[]): GivenLevels {
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of names) {
    const alike = levels.filter((level) => plain(level.name) === plain(name));
    const same = alike.find((level) => level.name.toLowerCase() === name.toLowerCase());
    const level = same ?? (alike.length === 1 ? alike[0] : undefined);
    if (level) ids.add(level.id);
    else unknown.push(name);
  }
  return { ids: [...ids], unknown };
}
