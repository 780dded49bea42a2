import { clsx } from 'clsx';
import { useId } from 'react';
import { Checkbox } from '#web/ui/checkbox.tsx';
import type { Level } from '../contract.ts';

type LevelCheckboxesProps = {
  levels: readonly Level[];
  selected: readonly number[];
  onChange: (selected: number[]) => void;
  error?: string | undefined;
  /** Shows only the names, side by side, for pages that show these checkboxes more than once. */
  isCompact?: boolean;
};

/** Checkboxes to choose the levels to grant or revoke. */
export function LevelCheckboxes({
  levels,
  selected,
  onChange,
  error,
  isCompact = false,
}: LevelCheckboxesProps) {
  const errorId = useId();
  const tick = (id: number, isTicked: boolean) =>
    onChange(isTicked ? [...selected, id] : selected.filter((each) => each !== id));
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">Transmission levels</legend>
      <div className={clsx(isCompact && 'flex flex-wrap gap-x-7')}>
        {levels.map(({ id, name, description }) => (
          <Checkbox
            key={id}
            name="transmissionLevels"
            label={name}
            aria-invalid={error ? true : undefined}
            hint={isCompact ? undefined : description}
            checked={selected.includes(id)}
            onChange={(event) => tick(id, event.target.checked)}
            className="min-w-0 break-words"
          />
        ))}
      </div>
      {levels.length === 0 && <p className="text-soft">There are no transmission levels yet.</p>}
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
