import { Flag, Mic } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import { MAX_MARKS } from '#features/feedback/limits.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { KeyHint } from '../inbox/keys/key-hint.tsx';
import { MarkLineSelect } from './mark-line-select.tsx';
import type { TimedLine } from './mark-lines.ts';
import type { SungPassage } from './sung-passages.ts';
import { editMark, getMarkKey, replaceMark } from './marking.ts';
import { type MarkVoices, VOICE_PROBLEM_MESSAGES } from '../voices/use-mark-voices.ts';
import { MarkRow } from './mark-row.tsx';
import type { Marking } from './use-marking.ts';
import { MicrophoneProblemNotice } from '#features/recordings/web/recorder/microphone-problem-notice.tsx';
import { getRecorderStatusText } from '#features/recordings/web/recorder/recorder-messages.ts';
import { Notice } from '#web/ui/notice.tsx';

type MarksEditorProps = {
  marking: Marking;
  recording: Pick<Recording, 'student' | 'melodyId' | 'duration'>;
  isDisabled: boolean;
  /** Lines of the melody; if empty, no lines are offered. */
  lines: readonly TimedLine[];
  /** Lines found in the recording. */
  sung: readonly SungPassage[];
  voices: MarkVoices;
  /** Ref to the button that records a voice comment. */
  voiceButton: RefObject<HTMLButtonElement | null>;
};

/** Lists a recording's marks, with fields to edit their words, times and lines. */
export function MarksEditor({
  marking,
  recording,
  isDisabled,
  lines,
  sung,
  voices,
  voiceButton,
}: MarksEditorProps) {
  const { marks, openKey, button } = marking;
  const list = useRef<HTMLOListElement>(null);
  useFocusNewMark(list, openKey);

  const remove = (index: number) => {
    marking.change(marks.filter((_, at) => at !== index));
    button.current?.focus();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <VoiceNotes {...{ voices }} button={voiceButton} />
      {marks.length > 0 && (
        <ol ref={list} aria-label="Comments" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {marks.map((mark, index) => (
            <MarkRow
              key={getMarkKey(mark)}
              {...{ mark, recording, isDisabled }}
              duration={recording.duration}
              voice={mark.voice === undefined ? null : voices.getLocation(mark.voice)}
              number={index + 1}
              isOpen={getMarkKey(mark) === openKey}
              onChange={(next) => marking.change(replaceMark(marks, mark, next))}
              onPlay={() => marking.playFrom(mark)}
              onRemove={() => remove(index)}
              onDone={() => {
                marking.close();
                button.current?.focus();
              }}
            >
              {lines.length > 0 && (
                <MarkLineSelect
                  {...{ mark, marks, lines, sung, isDisabled }}
                  place={formatMarkTime(mark)}
                  onChange={(melodyAt) =>
                    marking.change(replaceMark(marks, mark, editMark(mark, { melodyAt })))
                  }
                />
              )}
            </MarkRow>
          ))}
        </ol>
      )}
      <ScreenReaderAnnouncement text={marking.announcement} />
    </div>
  );
}

type MarkButtonProps = {
  marking: Marking;
  isDisabled: boolean;
  /** Keyboard shortcut to display. */
  shortcut: string | undefined;
};

/** Button that sets a mark at the recording's position, or ends the open mark there. */
export function MarkButton({ marking, isDisabled, shortcut }: MarkButtonProps) {
  const { marks, isOpen, button, toggleMark } = marking;
  return (
    <Button
      ref={button}
      icon={<Flag />}
      disabled={isDisabled || (!isOpen && marks.length >= MAX_MARKS)}
      onClick={toggleMark}
    >
      {isOpen ? 'End passage here' : 'Add comment'}
      {shortcut && <KeyHint>{shortcut}</KeyHint>}
    </Button>
  );
}

/** Focuses the text field of a mark that was just added, without pausing playback. */
function useFocusNewMark(list: RefObject<HTMLElement | null>, openKey: number | null) {
  const last = useRef<number | null>(null);
  useEffect(() => {
    if (openKey !== null && openKey !== last.current) {
      const row = list.current?.querySelector<HTMLElement>(`[data-mark="${openKey}"]`);
      row?.querySelector('input')?.focus({ preventScroll: true });
      // Scrolls the whole row into view. If only the field were visible, the bar would cover the row's buttons.
      row?.scrollIntoView({ block: 'nearest' });
    }
    last.current = openKey;
  }, [list, openKey]);
}

type VoiceNotesProps = { voices: MarkVoices; button: RefObject<HTMLButtonElement | null> };

/** Shows that a voice comment is being recorded, why it could not be, or that an unsent one was restored. */
function VoiceNotes({ voices, button }: VoiceNotesProps) {
  const { recorder, mode, isOn, problem, isRestored, announcement, begin } = voices;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 empty:hidden">
      {isOn && (
        <p className="text-sm text-soft">
          {recorder.state === 'recording' ? getRecorderStatusText(recorder).replace(/[^.]$/, '$&.') : WAITING}{' '}
          {mode === 'press' ? 'Press again to stop.' : 'Release to stop.'}
        </p>
      )}
      {recorder.problem && <MicrophoneProblemNotice problem={recorder.problem} />}
      {!isOn && problem && !recorder.problem && (
        <Notice tone="amber">
          <p role="status" ref={scrollNoteIntoView}>
            {VOICE_PROBLEM_MESSAGES[problem]}
          </p>
          {problem !== 'too many' && (
            <Button
              icon={<Mic />}
              className="mt-2"
              onClick={() => {
                begin('press');
                button.current?.focus();
              }}
            >
              Record without holding
            </Button>
          )}
        </Notice>
      )}
      {isRestored && <Notice tone="amber">{RESTORED}</Notice>}
      <ScreenReaderAnnouncement text={isOn ? (recorder.taking ? 'Recording.' : '') : announcement} />
    </div>
  );
}

/** Scrolls the message into view, because the bar at the bottom of a card may cover it. */
const scrollNoteIntoView = (note: HTMLElement | null) =>
  note?.parentElement?.scrollIntoView({ block: 'nearest' });

const WAITING = 'Waiting for the microphone…';
const RESTORED = 'Your unsent voice comment was restored from this device.';
