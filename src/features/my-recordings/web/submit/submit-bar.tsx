import { clsx } from 'clsx';
import { RotateCcw, Send, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { describeInspectionProgress } from '#web/uploads/describe-inspection-progress.ts';
import type { InspectionProgress } from '#web/uploads/with-inspection-polling.ts';
import { Button } from '#web/ui/button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';

type SubmitBarProps = {
  isSending: boolean;
  /** Fraction that has been sent, from 0 to 1. */
  sent: number;
  /** Progress of the server's inspection of the uploaded audio; null if it is not reported. */
  inspection: InspectionProgress;
  /** Whether the button was pressed and the form is waiting for the audio to be ready. */
  isWaiting: boolean;
  isRecording: boolean;
  /** Cancels sending; null if it can't be cancelled. */
  onCancel: (() => void) | null;
  /** Opens the recorder to replace the recording; null if there is no recording to replace. */
  onRecordAgain: (() => void) | null;
  /** Whether there is something to send, so that the bar stays in view. */
  isReady: boolean;
  /** Message that explains why the recording could not be sent. */
  children: ReactNode;
};

/**
 * The submit button at the bottom of the screen, with the progress of sending and of the server's inspection.
 */
export function SubmitBar({
  isSending,
  sent,
  inspection,
  isWaiting,
  isRecording,
  onCancel,
  onRecordAgain,
  isReady,
  children,
}: SubmitBarProps) {
  const percent = Math.floor(sent * 100);
  return (
    <div
      className={clsx(
        'mt-6 grid grid-cols-[minmax(0,1fr)] gap-3',
        isReady &&
          'sticky bottom-0 z-10 border-t border-edge bg-ground py-3 max-lg:-mx-4 max-lg:px-4 sm:max-lg:-mx-6 sm:max-lg:px-6',
      )}
    >
      {children}
      {/* As wide as the form's left column, because toasts appear at the right on a large screen. */}
      <div className="flex flex-wrap gap-3 lg:max-w-xl xl:max-w-[calc((100%-2.5rem)*6/11)]">
        {onRecordAgain && (
          <Button icon={<RotateCcw />} onClick={onRecordAgain} className="grow max-sm:px-3!">
            Record Again
          </Button>
        )}
        <Button
          type="submit"
          variant="primary"
          busy={isSending || isWaiting}
          disabled={isRecording}
          icon={<Send />}
          className="grow-3 text-base max-sm:px-3!"
        >
          {isSending ? describeStep(percent, inspection) : 'Submit to the teacher'}
        </Button>
        {isSending && onCancel && (
          <Button icon={<X />} onClick={onCancel} aria-label="Cancel sending">
            Cancel
          </Button>
        )}
      </div>
      {isSending && (
        <div>
          <ProgressBar
            value={inspection ? Math.floor(inspection.fraction * 100) : percent}
            max={100}
            aria-label={inspection ? 'Checking the audio' : 'Sent'}
            className="h-2"
          />
          {inspection && (
            <p className="mt-1.5 text-sm text-soft tabular-nums">{describeInspectionProgress(inspection)}</p>
          )}
        </div>
      )}
    </div>
  );
}

function describeStep(percent: number, inspection: InspectionProgress) {
  if (inspection) return 'Checking…';
  return percent < 100 ? `Sending… ${percent}%` : 'Almost done…';
}
