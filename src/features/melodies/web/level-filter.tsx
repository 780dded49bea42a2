import { clsx } from 'clsx';
import type { Level } from '../../levels/contract.ts';

type LevelFilterProps = {
  levels: readonly Level[];
  value: number | null;
  onChange: (id: number | null) => void;
};

/** On phones one row, cut at the edge of the screen, so that one sees that it goes on. */
const filterRow =
  'mb-6 flex gap-2.5 max-sm:-mx-4 max-sm:mb-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap';

export function LevelFilter({ levels, value, onChange }: LevelFilterProps) {
  const choices = [{ id: null, name: 'All Melodies' }, ...levels];
  return (
    <div role="group" aria-label="Filter by transmission level" className={filterRow}>
      {choices.map(({ id, name }) => (
        <button
          key={id ?? 'all'}
          type="button"
          aria-pressed={id === value}
          onClick={() => onChange(id)}
          className={clsx(
            'min-h-11 rounded-full border px-4 py-1.5 text-start text-sm leading-tight font-semibold max-sm:shrink-0',
            id === value
              ? 'border-transparent bg-action text-on-action'
              : 'border-edge bg-surface hover:bg-sunk',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
