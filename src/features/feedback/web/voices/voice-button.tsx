import { Mic } from 'lucide-react';
import { type Ref, useId } from 'react';
import { Button } from '#web/ui/button.tsx';
import { duration } from '#web/ui/duration.ts';
import { KeyHint } from '../inbox/keys/key-hint.tsx';
import type { Voices } from './use-voices.ts';

type VoiceButtonProps = {
  voices: Voices;
  isDisabled: boolean;
  /** Keyboard shortcut to display. */
  shortcut: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/** Held while one speaks at the recording's current moment. Enter and Space begin and end it with a press each. */
export function VoiceButton({ voices, isDisabled, shortcut, ref }: VoiceButtonProps) {
  const { recorder, way, isOn, begin, end } = voices;
  const hintId = useId();
  return (
    <>
      <Button
        ref={ref}
        icon={<Mic aria-hidden="true" />}
        variant={isOn ? 'primary' : 'secondary'}
        disabled={isDisabled}
        aria-describedby={hintId}
        data-voice
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          if (way === 'press') return end();
          event.currentTarget.setPointerCapture(event.pointerId);
          begin('pointer');
        }}
        onPointerUp={() => way === 'pointer' && end()}
        onPointerCancel={() => way === 'pointer' && end()}
        // A pointer has done so already.
        onClick={({ detail }) => detail === 0 && (isOn ? end() : begin('press'))}
        onContextMenu={(event) => event.preventDefault()}
        className="min-w-[min(10rem,70vw)] touch-none tabular-nums select-none [-webkit-touch-callout:none] max-sm:grow"
      >
        {isOn ? (
          `${way === 'press' ? 'End' : 'Speaking'} ${duration(recorder.seconds)}`
        ) : (
          <>
            Hold to speak
            {shortcut && <KeyHint>{shortcut}</KeyHint>}
          </>
        )}
      </Button>
      <span id={hintId} hidden>
        Records what you say at this moment. With Enter, one press begins and one ends it.
      </span>
    </>
  );
}
