import { clsx } from 'clsx';
import { useId } from 'react';
import { Checkbox } from '../../../platform/web/ui/checkbox.tsx';
import type { Level } from '../contract.ts';
import { OPEN_LEVEL } from '../limits.ts';

type LevelCheckboxesProps = {
  levels: readonly Level[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
  error?: string | undefined;
  /** Names alone, side by side: for forms of which several stand on one page. */
  isCompact?: boolean;
};

/** Which levels a new user is given. */
export function LevelCheckboxes({
  levels,
  chosen,
  onChange,
  error,
  isCompact = false,
}: LevelCheckboxesProps) {
  const errorId = useId();
  const tick = (id: number, isTicked: boolean) => {
    const next = new Set(chosen);
    if (isTicked) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">Transmission levels</legend>
      <div className={clsx(isCompact && 'flex flex-wrap gap-x-7')}>
        {levels.map(({ id, name, description }) => (
          <Checkbox
            key={id}
            name="transmissionLevels"
            label={name}
            hint={isCompact ? undefined : description}
            checked={chosen.has(id)}
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

export const tickedBeforehand = (levels: readonly Level[]): ReadonlySet<number> =>
  new Set(levels.filter(({ name }) => name === OPEN_LEVEL).map(({ id }) => id));
