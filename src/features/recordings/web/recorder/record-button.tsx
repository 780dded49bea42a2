import { clsx } from 'clsx';
import { Mic, Square } from 'lucide-react';
import { MAX_RECORDING_SECONDS } from '#web/audio/recording-format.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { getRecorderStartOptions } from './recorder-settings.ts';
import type { RecorderLayout } from './recorder-layout.ts';
import type { RecorderHandle } from './use-recorder.ts';

const RADIUS = 46;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

/**
 * A round button that starts and stops the recording. The ring around it fills over the maximum duration of two
 * minutes.
 */
export function RecordButton({ recorder, layout }: { recorder: RecorderHandle; layout: RecorderLayout }) {
  const { state, seconds, level, taking, count } = recorder;
  const isOn = state === 'recording' || state === 'paused';
  const isPaused = state === 'paused';
  const isBeginning = state === 'asking' || state === 'counting';
  return (
    <div
      className={clsx(
        'relative grid aspect-square max-w-full shrink-0 place-items-center',
        dialSizeClass[layout],
      )}
    >
      <svg viewBox="0 0 100 100" fill="none" aria-hidden="true" className="absolute inset-0 -rotate-90">
        <circle cx="50" cy="50" r={RADIUS} strokeWidth="4" className="stroke-line" />
        {seconds > 0 && (
          <circle
            cx="50"
            cy="50"
            r={RADIUS}
            strokeWidth="4"
            strokeLinecap="round"
            strokeDasharray={CIRCUMFERENCE}
            strokeDashoffset={CIRCUMFERENCE * (1 - Math.min(1, seconds / MAX_RECORDING_SECONDS))}
            className="stroke-danger"
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
        aria-label={isOn ? 'Stop recording' : isBeginning ? 'Cancel' : 'Start recording'}
        onClick={isOn || isBeginning ? recorder.stop : () => recorder.start(getRecorderStartOptions())}
        className={clsx(
          'relative grid size-[74%] place-items-center rounded-full border-4',
          isPaused ? 'border-danger bg-surface text-danger' : 'border-count bg-count text-on-count',
        )}
      >
        {count !== null ? null : isBeginning ? (
          <Spinner className={iconSizeClass[layout]} />
        ) : isOn ? (
          <Square className={iconSizeClass[layout]} />
        ) : (
          <Mic className={iconSizeClass[layout]} />
        )}
      </button>
      {/* Outside the button, because the button's accessible name describes what a press does. */}
      {count !== null && (
        <span
          aria-hidden="true"
          className={clsx(
            'pointer-events-none absolute font-serif leading-none text-on-count',
            countSizeClass[layout],
          )}
        >
          {count}
        </span>
      )}
    </div>
  );
}

const dialSizeClass: Record<RecorderLayout, string> = {
  large: 'w-52',
  small: 'w-24',
  bar: 'w-24 lg:w-28',
  low: 'w-24 not-flat:w-40 lg:w-52',
};
const iconSizeClass: Record<RecorderLayout, string> = {
  large: 'size-12',
  small: 'size-7',
  bar: 'size-8',
  low: 'size-8 not-flat:size-10 lg:size-12',
};
const countSizeClass: Record<RecorderLayout, string> = {
  large: 'text-[6rem]',
  small: 'text-[2.75rem]',
  bar: 'text-[3rem] lg:text-[3.5rem]',
  low: 'text-[3rem] not-flat:text-[5rem] lg:text-[6rem]',
};
