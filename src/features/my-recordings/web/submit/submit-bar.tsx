import { Send, X } from 'lucide-react';
import { examinationSentence } from '#web/uploads/examination-sentence.ts';
import type { Examination } from '#web/uploads/while-examined.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';

type SubmitBarProps = {
  isSending: boolean;
  /** From 0 to 1. */
  sent: number;
  /** How far the server has come with examining the sound that has arrived; null if it does not report it. */
  examination: Examination;
  /** The button was pressed, and the form waits for the sound to be ready. */
  isWaiting: boolean;
  isRecording: boolean;
  /** Null if it is too late. */
  onCancel: (() => void) | null;
};

/** The submit button, with the progress of sending and of the server's examination. */
export function SubmitBar({
  isSending,
  sent,
  examination,
  isWaiting,
  isRecording,
  onCancel,
}: SubmitBarProps) {
  const percent = Math.floor(sent * 100);
  return (
    <div className="mt-6">
      <div className="flex gap-3">
        <Button
          type="submit"
          variant="primary"
          isWide
          busy={isSending || isWaiting}
          disabled={isRecording}
          icon={<Send />}
          className="text-base"
        >
          {isSending ? stepOf(percent, examination) : 'Submit to the teacher'}
        </Button>
        {isSending && onCancel && (
          <Button icon={<X />} onClick={onCancel} aria-label="Cancel sending">
            Cancel
          </Button>
        )}
      </div>
      <div className="mt-2 min-h-6">
        {isSending ? (
          <>
            <Progress
              value={examination ? Math.floor(examination.fraction * 100) : percent}
              max={100}
              aria-label={examination ? 'Checking the audio' : 'Sent'}
              className="h-2"
            />
            {examination && (
              <p className="mt-1.5 text-sm text-soft tabular-nums">{examinationSentence(examination)}</p>
            )}
          </>
        ) : (
          isRecording && <p className="text-center text-sm text-soft">Stop the recording to submit it.</p>
        )}
      </div>
    </div>
  );
}

function stepOf(percent: number, examination: Examination) {
  if (examination) return 'Checking…';
  return percent < 100 ? `Sending… ${percent}%` : 'Almost done…';
}
