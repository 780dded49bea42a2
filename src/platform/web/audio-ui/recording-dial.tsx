import { clsx } from 'clsx';
import { Mic, Square } from 'lucide-react';
import { MAX_SECONDS } from '../audio/recording-format.ts';
import { Spinner } from '../ui/spinner.tsx';
import type { UsedRecorder } from './use-recorder.ts';

const RADIUS = 46;
const ROUND = 2 * Math.PI * RADIUS;

/** One round button to begin and to end; the ring about it fills with the two minutes. */
export function RecordingDial({ recorder, isSmall }: { recorder: UsedRecorder; isSmall: boolean }) {
  const { state, seconds, level, taking } = recorder;
  const isOn = state === 'recording' || state === 'paused';
  const isAsking = state === 'asking';
  return (
    <div className={clsx('relative grid shrink-0 place-items-center', isSmall ? 'size-24' : 'size-52')}>
      <svg viewBox="0 0 100 100" fill="none" aria-hidden="true" className="absolute inset-0 -rotate-90">
        <circle cx="50" cy="50" r={RADIUS} strokeWidth="4" className="stroke-line" />
        {seconds > 0 && (
          <circle
            cx="50"
            cy="50"
            r={RADIUS}
            strokeWidth="4"
            strokeLinecap="round"
            strokeDasharray={ROUND}
            strokeDashoffset={ROUND * (1 - Math.min(1, seconds / MAX_SECONDS))}
            className="stroke-count"
          />
        )}
      </svg>
      <span
        aria-hidden="true"
        className="absolute size-[74%] rounded-full bg-count/25"
        style={{ transform: `scale(${taking ? 1 + level * 0.16 : 1})` }}
      />
      <button
        type="button"
        data-focus-first
        aria-label={isOn ? 'Stop recording' : isAsking ? 'Cancel' : 'Start recording'}
        onClick={isOn || isAsking ? recorder.stop : recorder.start}
        className="relative grid size-[74%] place-items-center rounded-full bg-count text-on-count"
      >
        {isAsking ? (
          <Spinner className={iconSize(isSmall)} />
        ) : isOn ? (
          <Square aria-hidden="true" className={iconSize(isSmall)} />
        ) : (
          <Mic aria-hidden="true" className={iconSize(isSmall)} />
        )}
      </button>
    </div>
  );
}

const iconSize = (isSmall: boolean) => (isSmall ? 'size-7' : 'size-12');
