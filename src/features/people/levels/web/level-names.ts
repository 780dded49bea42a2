import type { Level } from '../contract.ts';

/** Meaning of a name, chosen by the teacher: a level's id, or the levels chosen for everybody in the table. */
export type MappedLevel = number | 'everybody';

/** Meanings of names that match no level, keyed by the result of {@link normalizeName}. */
export type LevelNameMappings = Readonly<Record<string, MappedLevel>>;

export type UnknownLevelName = { key: string; name: string; count: number };

/** The ids of a row's levels, and its level names that match no level. */
export type ResolvedLevels = { ids: readonly number[]; unknown: readonly string[] };

/**
 * Resolves the level names in a row of a table. A name matches a level's whole name or, if only one level has
 * it, the part outside brackets: 'Lung' for 'Lung (Reading Transmission)'. Any other name needs a meaning
 * from the teacher.
 * @param everybody the level ids that the meaning 'everybody' stands for
 */
export function resolveLevelNames(
  names: readonly string[],
  levels: readonly Level[],
  meanings: LevelNameMappings,
  everybody: readonly number[] = [],
): ResolvedLevels {
  const ids = new Set<number>();
  const unknown: string[] = [];
  for (const name of names) {
    const meaning = findLevel(name, levels)?.id ?? findMeaning(name, levels, meanings);
    if (meaning === null) unknown.push(name);
    else for (const id of meaning === 'everybody' ? everybody : [meaning]) ids.add(id);
  }
  return { ids: [...ids], unknown };
}

/** Returns the names that match no level, most frequent first, whether or not they have a meaning yet. */
export function listUnknownLevelNames(
  names: readonly string[],
  levels: readonly Level[],
): UnknownLevelName[] {
  const found = new Map<string, UnknownLevelName>();
  for (const name of names) {
    if (findLevel(name, levels)) continue;
    const key = normalizeName(name);
    found.set(key, { key, name, ...found.get(key), count: (found.get(key)?.count ?? 0) + 1 });
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

function findLevel(name: string, levels: readonly Level[]): Level | undefined {
  const same = levels.filter((level) => normalizeName(level.name) === normalizeName(name));
  const found =
    same.length > 0
      ? same
      : levels.filter((level) => normalizeName(removeBrackets(level.name)) === normalizeName(name));
  return found.length === 1 ? found[0] : found.find((level) => level.name === name);
}

function findMeaning(
  name: string,
  levels: readonly Level[],
  meanings: LevelNameMappings,
): MappedLevel | null {
  const key = normalizeName(name);
  const meaning = Object.hasOwn(meanings, key) ? meanings[key]! : null;
  // Ignores a meaning whose level has been deleted since.
  return meaning === 'everybody' || levels.some(({ id }) => id === meaning) ? meaning : null;
}

/**
 * Reduces a name to letters and digits, without case and accents. A name without any letters or digits is only
 * trimmed.
 */
const normalizeName = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '') || name.trim();

const removeBrackets = (name: string) => name.replaceAll(/\(.*?\)/g, '');
