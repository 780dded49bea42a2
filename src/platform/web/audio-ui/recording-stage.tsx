import { clsx } from 'clsx';
import { Pause, Play } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { duration } from '../ui/duration.ts';
import { Notice } from '../ui/notice.tsx';
import { LevelStrip } from './level-strip.tsx';
import { INSECURE, MICROPHONE_FAILED, statusLine, whatToDo } from './recorder-words.ts';
import { RecordingDial } from './recording-dial.tsx';
import type { UsedRecorder } from './use-recorder.ts';

type RecordingStageProps = {
  recorder: UsedRecorder;
  isSmall: boolean;
  /** There is something else chosen, which a recording will replace. */
  isReplacing: boolean;
};

/** The button, the clock and the level, and plain words on whether anything is being taken. */
export function RecordingStage({ recorder, isSmall, isReplacing }: RecordingStageProps) {
  const { state, seconds, nearEnd, taking, problem, interrupted } = recorder;
  if (problem === 'insecure' || !isSecureContext)
    return (
      <Notice tone="amber" className="mb-auto">
        {INSECURE}
      </Notice>
    );
  const isOn = state === 'recording' || state === 'paused';
  return (
    <div className={clsx('flex flex-col', isSmall ? 'gap-2' : 'gap-4')}>
      <div className={clsx('flex items-center gap-4', !isSmall && 'flex-col text-center')}>
        <RecordingDial recorder={recorder} isSmall={isSmall} />
        <div className="min-w-0">
          <p
            className={clsx('font-serif leading-none tabular-nums', isSmall ? 'text-2xl' : 'text-4xl')}
            aria-hidden="true"
          >
            {duration(seconds)}
          </p>
          <p
            className={clsx(
              'mt-2',
              isSmall ? 'text-sm' : 'min-h-7',
              nearEnd || (state === 'recording' && !taking) ? 'font-semibold text-danger' : 'text-soft',
            )}
          >
            {statusLine(recorder)}
          </p>
        </div>
      </div>
      {problem ? (
        <Problem sentence={whatToDo[problem]} />
      ) : (
        <LevelStrip recorder={recorder} isSmall={isSmall} />
      )}
      <div className="flex min-h-12 flex-col">
        {isOn && <HoldButton {...{ recorder, interrupted }} />}
        {!isOn && isReplacing && (
          <p className="text-center text-sm text-soft">A file is chosen. A recording takes its place.</p>
        )}
      </div>
    </div>
  );
}

function HoldButton({ recorder, interrupted }: { recorder: UsedRecorder; interrupted: boolean }) {
  const isHeld = recorder.state === 'paused' || interrupted;
  return (
    <Button
      isWide
      icon={isHeld ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
      onClick={isHeld ? recorder.resume : recorder.pause}
    >
      {isHeld ? 'Continue' : 'Pause'}
    </Button>
  );
}

const Problem = ({ sentence }: { sentence: string }) => (
  <div className="rounded-md border-s-4 border-danger bg-danger-ground px-4 py-3 text-sm text-danger">
    <p role="alert" className="font-semibold">
      {MICROPHONE_FAILED}
    </p>
    <p className="mt-1">{sentence}</p>
  </div>
);
