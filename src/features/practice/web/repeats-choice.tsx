import { Minus, Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { MAX_REPEATS, parseRepeats } from './engine/practice-settings.ts';
import { Select } from '#web/ui/select.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

type RepeatsChoiceProps = {
  /** Null for no limit. */
  times: number | null;
  onChange: (times: number | null) => void;
  /** Placed next to the list of common numbers. */
  children: ReactNode;
};

/** Includes the numbers that are customary for recitations, such as 21 and 108. */
const COMMON_TIMES = [1, 2, 3, 5, 7, 10, 21, 108];
const OTHER = 'other';
const DEFAULT_OTHER = 4;

/** Choice of how many times the loop plays: a common number, or any other whole number. */
export function RepeatsChoice({ times, onChange, children }: RepeatsChoiceProps) {
  // A separate state, because the number may briefly equal a common number while the user types.
  const [wantsOther, setWantsOther] = useState(times !== null && !COMMON_TIMES.includes(times));
  const isOther = times !== null && wantsOther;
  const choose = (value: string) => {
    setWantsOther(value === OTHER);
    if (value === OTHER) onChange(times ?? DEFAULT_OTHER);
    else onChange(value === '' ? null : Number(value));
  };
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[1.15fr_1fr] gap-2 sm:gap-3">
        <Select
          label="Repeat"
          value={isOther ? OTHER : (times ?? '')}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">until I stop</option>
          {COMMON_TIMES.map((count) => (
            <option key={count} value={count}>
              {count === 1 ? 'once' : `${count} times`}
            </option>
          ))}
          <option value={OTHER}>another number…</option>
        </Select>
        {children}
      </div>
      {isOther && <NumberInput times={times} onChange={onChange} />}
    </div>
  );
}

/**
 * Field for a number, which applies as soon as it is valid. If the user leaves the field with invalid text, the
 * previous number stays.
 */
function NumberInput({ times, onChange }: { times: number; onChange: (times: number) => void }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && parseRepeats(typed) === null;
  const step = (by: number) => {
    setTyped(null);
    onChange(times + by);
  };
  return (
    <div>
      <div className="flex items-center gap-2">
        <label htmlFor={id} className="grow text-sm font-semibold">
          Number of times
        </label>
        <IconButton
          label="One less"
          variant="secondary"
          icon={<Minus />}
          isInactive={times <= 1}
          onClick={() => step(-1)}
        />
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={typed ?? times}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong ? `${id}-range` : undefined}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => {
            setTyped(target.value);
            const parsed = parseRepeats(target.value);
            if (parsed !== null) onChange(parsed);
          }}
          onBlur={() => setTyped(null)}
          className="h-12 w-20 rounded-md border border-edge bg-surface text-center text-base text-ink tabular-nums aria-invalid:border-2 aria-invalid:border-danger"
        />
        <IconButton
          label="One more"
          variant="secondary"
          icon={<Plus />}
          isInactive={times >= MAX_REPEATS}
          onClick={() => step(1)}
        />
      </div>
      {isWrong && (
        <p id={`${id}-range`} className="mt-1 text-end text-sm font-semibold text-danger">
          Enter a whole number from 1 to {MAX_REPEATS}.
        </p>
      )}
    </div>
  );
}
