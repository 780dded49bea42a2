import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Level } from '../contract.ts';
import type { MappedLevel, LevelNameMappings, UnknownLevelName } from './level-names.ts';

type UnknownLevelFieldsProps = {
  names: readonly UnknownLevelName[];
  /** Returns the noun for this many rows: 'person', 'people'. */
  noun: (count: number) => string;
  levels: readonly Level[];
  meanings: LevelNameMappings;
  offersEverybody?: boolean;
  onChange: (meanings: LevelNameMappings) => void;
};

/** Maximum number of unknown names shown. A larger number suggests that the wrong column was read. */
const MAX_SHOWN_NAMES = 20;

/** Asks once for each unknown level name in a table what it means. */
export function UnknownLevelFields({
  names,
  noun,
  levels,
  meanings,
  offersEverybody = false,
  onChange,
}: UnknownLevelFieldsProps) {
  if (names.length === 0) return null;
  const more = names.length - MAX_SHOWN_NAMES;
  return (
    <div className="mt-4 border-t border-line pt-4">
      <Notice tone="amber" isQuiet title="Unknown level names" className="mb-4">
        Some level names in your list don’t exist here. Choose a level for each. Until you do, rows with these
        names are skipped.
      </Notice>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {names.slice(0, MAX_SHOWN_NAMES).map(({ key, name, count }) => (
          <Select
            key={key}
            label={`“${name}” · ${count.toLocaleString('en')} ${noun(count)}`}
            value={Object.hasOwn(meanings, key) ? meanings[key] : ''}
            onChange={({ target }) => onChange(setMeaning(meanings, key, target.value))}
          >
            <option value="">Choose a level</option>
            {offersEverybody && <option value="everybody">Use the levels chosen for everyone</option>}
            {levels.map((level) => (
              <option key={level.id} value={level.id}>
                {level.name}
              </option>
            ))}
          </Select>
        ))}
      </div>
      {more > 0 && (
        <p className="mt-3 text-sm text-soft">
          And {more.toLocaleString('en')} more. Choose their levels row by row.
        </p>
      )}
    </div>
  );
}

function setMeaning(meanings: LevelNameMappings, key: string, chosen: string): LevelNameMappings {
  const { [key]: _, ...others } = meanings;
  const meaning: MappedLevel | null =
    chosen === '' ? null : chosen === 'everybody' ? 'everybody' : Number(chosen);
  return meaning === null ? others : { ...others, [key]: meaning };
}
