import { RotateCcw } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { ChosenPlayer } from '../upload/chosen-player.tsx';
import type { ChosenAudio } from '../upload/chosen-audio.ts';
import { TakeNotices } from './take-notices.tsx';

type RecordedTakeProps = { take: ChosenAudio; onRecordAgain: () => void };

/** What was recorded: to be heard, and kept or sung again. */
export function RecordedTake({ take, onRecordAgain }: RecordedTakeProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 tabIndex={-1} data-focus-first className="text-lg">
          Your recording
        </h2>
        <p className="text-sm text-soft">Listen to it before you send it.</p>
      </div>
      <TakeNotices notes={take.notes} />
      <ChosenPlayer audio={take} title="Your recording" />
      <Button icon={<RotateCcw aria-hidden="true" />} onClick={onRecordAgain}>
        Record Again
      </Button>
    </div>
  );
}
