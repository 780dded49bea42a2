import { Button } from '../ui/button.tsx';
import type { PageUploadState } from './page-upload.ts';

type UploadStatusProps = { state: PageUploadState; onStop: () => void };

/** How much of an upload has arrived, as a bar and in words, and a button to stop it. */
export function UploadStatus({ state: { step, fraction }, onStop }: UploadStatusProps) {
  const percent = Math.floor(fraction * 100);
  const isOnItsWay = percent < 100;
  return (
    <div className="flex w-full flex-wrap items-center gap-3">
      <div className="min-w-40 grow">
        <div
          role="progressbar"
          aria-label="Upload"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="h-2 overflow-hidden rounded-full bg-line"
        >
          <div
            className="h-full origin-left bg-action transition-transform duration-150"
            style={{ transform: `scaleX(${fraction})` }}
          />
        </div>
        <p className="mt-1.5 text-sm text-soft tabular-nums">
          {isOnItsWay ? `Sending: ${percent}%` : 'Sent; the server is looking at it…'}
        </p>
        <p role="status" className="text-sm text-soft">
          {step === 'waiting' && 'Waiting for a connection. It goes on by itself when there is one.'}
        </p>
      </div>
      {isOnItsWay && <Button onClick={onStop}>Stop sending</Button>}
    </div>
  );
}
