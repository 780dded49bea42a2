import { RotateCcw } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ChosenPlayer } from './chosen-player.tsx';
import type { ChosenAudio } from './chosen-audio.ts';
import { LIMIT_REACHED, MICROPHONE_LOST, SILENT_TAKE } from './recorder-words.ts';

export type TakeNote = null | 'limit' | 'microphone-lost' | 'silent';

const sentences = { limit: LIMIT_REACHED, 'microphone-lost': MICROPHONE_LOST, silent: SILENT_TAKE };

type RecordedTakeProps = { take: ChosenAudio; note: TakeNote; onRecordAgain: () => void };

/** What was recorded: to be heard, and kept or sung again. */
export function RecordedTake({ take, note, onRecordAgain }: RecordedTakeProps) {
  return (
    <div className="grid gap-4">
      <div>
        <h2 tabIndex={-1} data-focus-first className="text-lg">
          Your recording
        </h2>
        <p className="text-sm text-soft">Listen to it before you send it.</p>
      </div>
      {note && <Notice tone="amber">{sentences[note]}</Notice>}
      <ChosenPlayer audio={take} title="Your recording" />
      <Button icon={<RotateCcw aria-hidden="true" />} onClick={onRecordAgain}>
        Record Again
      </Button>
    </div>
  );
}
