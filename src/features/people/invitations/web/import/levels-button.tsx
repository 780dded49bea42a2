import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import { joinLevelNames } from './import-result-csv.ts';

type LevelsButtonProps = {
  /** Name of the person or group that gets the levels: 'Tashi Dolma' or 'everyone'. */
  ownerName: string;
  levels: readonly Level[];
  selected: readonly number[];
  onChange: (selected: number[]) => void;
  resetLabel?: string;
  /** Discards the choice for this person; null if no choice has been made. */
  onReset?: (() => void) | null;
  className?: string;
};

/** Button that shows the chosen levels and opens a dialog to change them. */
export function LevelsButton({
  ownerName,
  levels,
  selected,
  onChange,
  resetLabel,
  onReset = null,
  className,
}: LevelsButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const names = joinLevelNames(selected, levels) || 'None';
  return (
    <>
      <Button
        aria-label={`Levels for ${ownerName}: ${names}`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className={className}
      >
        <span className="min-w-0 truncate font-normal">{names}</span>
        <ChevronDown className="size-4!" />
      </Button>
      {isOpen && (
        <Dialog
          isOpen
          onOpenChange={setIsOpen}
          title={`Levels for ${ownerName}`}
          actions={
            <>
              {onReset && (
                <Button
                  onClick={() => {
                    onReset();
                    setIsOpen(false);
                  }}
                >
                  {resetLabel}
                </Button>
              )}
              <Button variant="primary" onClick={() => setIsOpen(false)}>
                Done
              </Button>
            </>
          }
        >
          <LevelCheckboxes levels={levels} selected={selected} onChange={onChange} />
        </Dialog>
      )}
    </>
  );
}
