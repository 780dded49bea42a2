import { Button } from '../ui/button.tsx';
import { describeInspectionProgress } from './describe-inspection-progress.ts';
import type { FormUploadState } from './form-upload.ts';

type UploadStatusProps = { state: FormUploadState; onStop: () => void };

/**
 * Shows how much of an upload has arrived, then the progress of its inspection: a bar, a text and a stop
 * button.
 */
export function UploadStatus({ state: { step, fraction, inspectionProgress }, onStop }: UploadStatusProps) {
  const isOnItsWay = fraction < 1;
  const sentence = isOnItsWay ? `Sending: ${toPercent(fraction)}%` : 'Sent. Checking the file…';
  return (
    <div className="flex w-full flex-wrap items-center gap-3">
      <div className="min-w-40 grow">
        {inspectionProgress ? (
          <Bar
            key="inspection"
            label="Checking the audio"
            fraction={inspectionProgress.step === 'running' ? inspectionProgress.fraction : null}
          />
        ) : (
          <Bar key="upload" label="Upload" fraction={fraction} />
        )}
        <p className="mt-1.5 text-sm text-soft tabular-nums">
          {inspectionProgress ? describeInspectionProgress(inspectionProgress) : sentence}
        </p>
        <p role="status" className="text-sm text-soft">
          {step === 'waiting' && 'Waiting for internet. Sending will continue by itself.'}
        </p>
      </div>
      {isOnItsWay && <Button onClick={onStop}>Stop sending</Button>}
    </div>
  );
}

/** @param fraction null while the progress is unknown */
function Bar({ label, fraction }: { label: string; fraction: number | null }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={fraction === null ? undefined : toPercent(fraction)}
      className="h-2 overflow-hidden rounded-full bg-line forced-colors:border"
    >
      <div
        className="progress h-full origin-left bg-action transition-transform duration-150"
        style={{ transform: `scaleX(${fraction ?? 0})` }}
      />
    </div>
  );
}

const toPercent = (fraction: number) => Math.floor(fraction * 100);
