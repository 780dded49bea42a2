import { clsx } from 'clsx';
import { Pause } from 'lucide-react';
import type { ReadableStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';
import type { LiveRecording } from '#features/recordings/web/recorder/live-recording.ts';

const stateLabels: Record<LiveRecording['state'], string> = {
  off: 'Saving…',
  starting: 'Get ready',
  recording: 'Recording',
  paused: 'Paused',
  interrupted: 'Not recording',
};

/**
 * Shows in large letters whether anything is being recorded. Screen readers get the recorder's own
 * announcements.
 */
export function RecordingBanner({ live }: { live: ReadableStore<LiveRecording> }) {
  const { state } = useStore(live);
  const isOn = state === 'recording';
  return (
    <p
      aria-hidden="true"
      className={clsx(
        'flex shrink-0 items-center justify-center gap-3 py-1.5 text-2xl font-semibold flat:py-0.5 flat:text-lg',
        isOn ? 'bg-count text-on-count' : 'border-b-2 border-dashed border-edge bg-sunk text-ink',
      )}
    >
      {isOn && <span className="size-4 rounded-full bg-on-count" />}
      {state === 'paused' && <Pause className="size-6" />}
      {stateLabels[state]}
    </p>
  );
}
