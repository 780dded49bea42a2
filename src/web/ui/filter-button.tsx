import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type FilterButtonProps = { isOn: boolean; onPress: () => void; children: ReactNode };

/** A toggle button in a row of filters. */
export const FilterButton = ({ isOn, onPress, children }: FilterButtonProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onPress}
    className={clsx(
      'min-h-11 rounded-full border px-4 text-sm font-semibold',
      isOn ? 'border-action bg-action-ground text-action' : 'border-edge bg-surface hover:bg-sunk',
    )}
  >
    {children}
  </button>
);
