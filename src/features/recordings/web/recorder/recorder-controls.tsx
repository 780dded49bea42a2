import { clsx } from 'clsx';
import { ChevronDown, Pause, Play } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';
import { Notice } from '#web/ui/notice.tsx';
import { MicrophoneProblemNotice } from './microphone-problem-notice.tsx';
import { INSECURE_PAGE_MESSAGE, getMissingPartMessages, getRecorderStatusText } from './recorder-messages.ts';
import { RecordButton } from './record-button.tsx';
import type { RecorderLayout } from './recorder-layout.ts';
import type { RecorderHandle } from './use-recorder.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { updateRecorderSettings, useRecorderSettings } from './recorder-settings.ts';
import { useEffect, useRef } from 'react';
import { WAVEFORM_BAR_COUNT } from '#shared/media.ts';
import { MAX_RECORDING_SECONDS } from '#web/audio/recording-format.ts';
import { drawBars, redrawOnResizeOrThemeChange, getThemeColour } from '#web/audio-ui/playback/draw-bars.ts';

type RecorderControlsProps = {
  recorder: RecorderHandle;
  layout: RecorderLayout;
  /** Whether the user has chosen a file, which a recording will replace. */
  isReplacing: boolean;
};

/** The record button, the clock, the level, and a sentence that states whether anything is being recorded. */
export function RecorderControls({ recorder, layout, isReplacing }: RecorderControlsProps) {
  const { state, problem, interrupted } = recorder;
  if (problem === 'insecure' || !isSecureContext)
    return (
      <Notice tone="amber" className="mb-auto">
        {INSECURE_PAGE_MESSAGE}
      </Notice>
    );
  const isOn = state === 'recording' || state === 'paused';
  const isIdle = state === 'idle' || state === 'failed';
  const isLow = layout === 'bar' || layout === 'low';
  return (
    <div className={clsx('flex flex-col', gapClass[layout], isLow && !isIdle && landscapeClass)}>
      <div className={clsx('flex items-center gap-4', rowClass[layout])}>
        <RecordButton recorder={recorder} layout={layout} />
        <Clock recorder={recorder} look={layout} />
      </div>
      {isOn &&
        getMissingPartMessages(recorder).map((sentence) => (
          <Notice
            key={sentence}
            tone="amber"
            isQuiet
            className={clsx(isLow && 'max-lg:flat:order-last max-lg:flat:basis-full')}
          >
            {sentence}
          </Notice>
        ))}
      {problem ? (
        <MicrophoneProblemNotice problem={problem} />
      ) : (
        <div className={clsx('min-w-0 max-lg:flat:flex-1', layout === 'bar' && isIdle && 'max-lg:hidden')}>
          <LevelStrip recorder={recorder} look={layout} />
        </div>
      )}
      <div
        className={clsx(
          'flex flex-col',
          (layout !== 'bar' || !isIdle) && 'min-h-12',
          isLow && 'max-lg:flat:w-36',
        )}
      >
        {isOn && <HoldButton {...{ recorder, interrupted }} />}
        {isIdle && isReplacing && (
          <p className="text-center text-sm text-soft">Recording will replace the file you chose.</p>
        )}
        {isIdle && <RecordingSettings />}
      </div>
    </div>
  );
}

function Clock({ recorder, look }: { recorder: RecorderHandle; look: RecorderLayout }) {
  const { state, seconds, nearEnd, taking } = recorder;
  return (
    <div className="min-w-0">
      <p className={clsx('font-serif leading-none tabular-nums', clockSizeClass[look])} aria-hidden="true">
        {formatDuration(seconds)}
      </p>
      <p
        className={clsx(
          'mt-2 text-balance',
          lineSizeClass[look],
          nearEnd || (state === 'recording' && !taking) ? 'font-semibold text-danger' : 'text-soft',
        )}
      >
        {getRecorderStatusText(recorder)}
      </p>
    </div>
  );
}

function HoldButton({ recorder, interrupted }: { recorder: RecorderHandle; interrupted: boolean }) {
  const isHeld = recorder.state === 'paused' || interrupted;
  return (
    <Button
      isWide
      variant={isHeld ? 'primary' : 'secondary'}
      icon={isHeld ? <Play /> : <Pause />}
      onClick={isHeld ? recorder.resume : recorder.pause}
    >
      {isHeld ? 'Continue' : 'Pause'}
    </Button>
  );
}

/**
 * Places the controls in a row on a phone in landscape orientation, because its screen is too short to stack
 * them.
 */
const landscapeClass =
  'max-lg:flat:flex-row max-lg:flat:flex-wrap max-lg:flat:items-center max-lg:flat:gap-x-4';

const gapClass: Record<RecorderLayout, string> = {
  large: 'gap-4',
  small: 'gap-2',
  bar: 'gap-2 lg:gap-3',
  low: 'gap-2 lg:gap-4',
};
const rowClass: Record<RecorderLayout, string> = {
  large: 'flex-col text-center',
  small: '',
  bar: 'max-lg:flat:flex-1 lg:justify-center',
  low: 'max-lg:flat:flex-1 not-flat:flex-col not-flat:text-center lg:flex-col lg:text-center',
};
const clockSizeClass: Record<RecorderLayout, string> = {
  large: 'text-4xl',
  small: 'text-2xl',
  bar: 'text-2xl lg:text-4xl',
  low: 'text-2xl not-flat:text-4xl lg:text-4xl',
};
const lineSizeClass: Record<RecorderLayout, string> = {
  large: 'min-h-7',
  small: 'text-sm',
  bar: 'text-sm lg:text-base',
  low: 'text-sm not-flat:min-h-7 not-flat:text-base lg:min-h-7 lg:text-base',
};

/** Settings of the recorder, stored on this device. Collapsed, because users seldom change them. */
function RecordingSettings() {
  const { processing, countsIn } = useRecorderSettings();
  return (
    <details className="group text-start">
      <summary className="-ms-2 inline-flex min-h-11 items-center gap-2 rounded-md px-2 text-sm font-semibold text-lapis">
        <ChevronDown className="size-5 group-open:rotate-180" />
        Recording settings
      </summary>
      <div className="grid gap-1 border-s-2 border-line ps-4">
        <Checkbox
          role="switch"
          label="Count in: 3, 2, 1"
          hint="Gives you a moment to breathe before recording starts."
          checked={countsIn}
          onChange={(event) => updateRecorderSettings({ countsIn: event.target.checked })}
        />
        <Checkbox
          role="switch"
          label="Reduce background noise"
          hint="Leave this off unless the room is noisy. It can cut long notes."
          checked={processing}
          onChange={(event) => updateRecorderSettings({ processing: event.target.checked })}
        />
      </div>
    </details>
  );
}

/** Shows the recorded level as a waveform. The full width is the maximum duration of two minutes. */
function LevelStrip({ recorder, look }: { recorder: RecorderHandle; look: RecorderLayout }) {
  const { state, seconds, level, taking } = recorder;
  const canvas = useRef<HTMLCanvasElement>(null);
  const levels = useRef(new Uint8Array(WAVEFORM_BAR_COUNT));
  const played = useRef(0);

  useEffect(() => {
    if (state === 'idle' || state === 'asking' || state === 'counting') levels.current.fill(0);
    played.current = seconds / MAX_RECORDING_SECONDS;
    const at = Math.min(WAVEFORM_BAR_COUNT - 1, Math.floor(played.current * WAVEFORM_BAR_COUNT));
    if (taking) levels.current[at] = Math.max(levels.current[at] ?? 0, Math.round(level * 255));
    if (canvas.current) drawLevel(canvas.current, levels.current, played.current);
  }, [state, seconds, level, taking]);

  useEffect(() => {
    const drawn = canvas.current;
    return drawn
      ? redrawOnResizeOrThemeChange(drawn, () => drawLevel(drawn, levels.current, played.current))
      : undefined;
  }, []);

  return <canvas ref={canvas} aria-hidden="true" className={clsx('block w-full', heightClass[look])} />;
}

const heightClass: Record<RecorderLayout, string> = {
  large: 'h-14',
  small: 'h-8',
  bar: 'h-8 lg:h-12',
  low: 'h-8 lg:h-14',
};

const drawLevel = (canvas: HTMLCanvasElement, heard: Uint8Array, played: number) =>
  drawBars(canvas, heard, played, {
    played: getThemeColour(canvas, 'action'),
    rest: getThemeColour(canvas, 'edge'),
  });
