import { Mic } from 'lucide-react';
import type { RefObject } from 'react';
import { MicrophoneProblem } from '#features/recordings/web/recorder/microphone-problem.tsx';
import { statusLine } from '#features/recordings/web/recorder/recorder-messages.ts';
import { Announce } from '#web/ui/announce.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { voiceProblems, type Voices } from './use-voices.ts';

type VoiceNotesProps = { voices: Voices; button: RefObject<HTMLButtonElement | null> };

/** What becomes of a voice: whether it is being recorded, and why it was not. */
export function VoiceNotes({ voices, button }: VoiceNotesProps) {
  const { recorder, way, isOn, problem, isRestored, said, begin } = voices;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 empty:hidden">
      {isOn && (
        <p className="text-sm text-soft">
          {recorder.state === 'recording' ? statusLine(recorder).replace(/[^.]$/, '$&.') : WAITING}{' '}
          {way === 'press' ? 'Press once more to end it.' : 'Let go to end it.'}
        </p>
      )}
      {recorder.problem && <MicrophoneProblem problem={recorder.problem} />}
      {!isOn && problem && !recorder.problem && (
        <Notice tone="amber">
          <p role="status" ref={showWhole}>
            {voiceProblems[problem]}
          </p>
          {problem !== 'too many' && (
            <Button
              icon={<Mic aria-hidden="true" />}
              className="mt-2"
              onClick={() => {
                begin('press');
                button.current?.focus();
              }}
            >
              Speak without holding
            </Button>
          )}
        </Notice>
      )}
      {isRestored && <Notice tone="amber">{RESTORED}</Notice>}
      <Announce text={isOn ? (recorder.taking ? 'Recording.' : '') : said} />
    </div>
  );
}

/** The bar at the bottom of a card may be over it. */
const showWhole = (note: HTMLElement | null) => note?.parentElement?.scrollIntoView({ block: 'nearest' });

const WAITING = 'Waiting for the microphone…';
const RESTORED =
  'What you said at a moment before was not sent. It is kept on this device, and is a mark again.';
