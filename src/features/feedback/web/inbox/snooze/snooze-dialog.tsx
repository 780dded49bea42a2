import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { MAX_SNOOZE_DAYS } from '#features/feedback/limits.ts';
import { getStartOfDayAfter, parseFutureDay } from './snooze.ts';

type SnoozeDialogProps = {
  /** The recording to snooze; null closes the dialog. */
  recording: Recording | null;
  isSnoozed: boolean;
  onClose: () => void;
  /** Called after the dialog has closed and restored focus. If `until` is null, the snooze ends. */
  onChoose: (recordingId: number, until: Date | null) => void;
};

const SNOOZE_OPTIONS = [
  { days: 1, label: 'Tomorrow' },
  { days: 3, label: 'In three days' },
  { days: 7, label: 'In a week' },
];

/** Dialog to choose the day until which a recording is snoozed. A reply in progress is kept. */
export function SnoozeDialog({ recording, isSnoozed, onClose, onChoose }: SnoozeDialogProps) {
  const [typed, setTyped] = useState('');
  const [isInvalid, setIsInvalid] = useState(false);
  const chosen = useRef<{ id: number; until: Date | null } | null>(null);
  const id = recording?.id ?? null;
  useEffect(() => {
    if (id !== null || chosen.current === null) return;
    const { id: of, until } = chosen.current;
    chosen.current = null;
    const timer = setTimeout(() => onChoose(of, until));
    return () => clearTimeout(timer);
  });
  const choose = (until: Date | null) => {
    if (id !== null) chosen.current = { id, until };
    setTyped('');
    setIsInvalid(false);
    onClose();
  };
  const set = () => {
    const day = parseFutureDay(typed, new Date());
    const isTooFar = day !== null && day > getStartOfDayAfter(new Date(), MAX_SNOOZE_DAYS);
    setIsInvalid(day === null || isTooFar);
    if (day && !isTooFar) choose(day);
  };
  return (
    <Dialog
      isOpen={recording !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Snooze until"
      description="It disappears from your list until that day. The student isn’t notified."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {isSnoozed && <Button onClick={() => choose(null)}>Bring back now</Button>}
        {SNOOZE_OPTIONS.map(({ days, label }) => (
          <Button key={days} onClick={() => choose(getStartOfDayAfter(new Date(), days))}>
            {label}
          </Button>
        ))}
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            type="date"
            label="Another day"
            className="grow"
            value={typed}
            error={isInvalid ? 'Please choose a day within the next year.' : null}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button onClick={set}>Snooze</Button>
        </div>
      </div>
    </Dialog>
  );
}
