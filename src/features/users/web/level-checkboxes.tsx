import { useId } from 'react';
import { Checkbox } from '../../../platform/web/ui/checkbox.tsx';
import type { Level } from '../../levels/contract.ts';

type LevelCheckboxesProps = {
  levels: readonly Level[];
  chosen: ReadonlySet<number>;
  onChange: (chosen: ReadonlySet<number>) => void;
  error?: string | undefined;
};

/** Which levels a new user is given. */
export function LevelCheckboxes({ levels, chosen, onChange, error }: LevelCheckboxesProps) {
  const errorId = useId();
  const tick = (id: number, isTicked: boolean) => {
    const next = new Set(chosen);
    if (isTicked) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 text-sm font-semibold">Transmission levels</legend>
      {levels.map(({ id, name, description }) => (
        <Checkbox
          key={id}
          name="transmissionLevels"
          label={name}
          hint={description}
          checked={chosen.has(id)}
          onChange={(event) => tick(id, event.target.checked)}
          className="break-words"
        />
      ))}
      {levels.length === 0 && <p className="text-soft">There are no transmission levels yet.</p>}
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-semibold text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
