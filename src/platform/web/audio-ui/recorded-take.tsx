import { RotateCcw } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ChosenPlayer } from './chosen-player.tsx';
import type { ChosenAudio } from './chosen-audio.ts';

type RecordedTakeProps = { take: ChosenAudio; notes: readonly string[]; onRecordAgain: () => void };

/** What was recorded: to be heard, and kept or sung again. */
export function RecordedTake({ take, notes, onRecordAgain }: RecordedTakeProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 tabIndex={-1} data-focus-first className="text-lg">
          Your recording
        </h2>
        <p className="text-sm text-soft">Listen to it before you send it.</p>
      </div>
      {notes.map((note) => (
        <Notice key={note} tone="amber">
          {note}
        </Notice>
      ))}
      <ChosenPlayer audio={take} title="Your recording" />
      <Button icon={<RotateCcw aria-hidden="true" />} onClick={onRecordAgain}>
        Record Again
      </Button>
    </div>
  );
}
