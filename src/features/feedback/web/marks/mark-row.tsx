import { clsx } from 'clsx';
import { Check, Play, SlidersHorizontal, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { PinNumber } from '#web/audio-ui/playback/mark-pins.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { CharacterCounter, getTooLongMessage } from '#web/ui/text-limit.tsx';
import { usePhraseSuggestions } from '#features/feedback/phrases/web/phrase-text-area.tsx';
import type { Recording } from '#features/recordings/contract.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { MAX_MARK_TEXT_LENGTH } from '#features/feedback/limits.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import type { VoiceLocation } from '../voices/use-mark-voices.ts';
import { MarkVoicePlayer, VoiceWarnings } from '../voices/mark-voice-player.tsx';
import { editMark, getMarkKey } from './marking.ts';
import { parseEditableTime, formatEditableTime, validateMarkTimes } from './mark-times.ts';

type MarkRowProps = {
  recording: Pick<Recording, 'student' | 'melodyId'>;
  mark: Mark;
  number: number;
  /** Duration of the recording, in seconds. */
  duration: number;
  /** Whether the mark was just set and can still be given an end. */
  isOpen: boolean;
  isDisabled: boolean;
  /** Location of the mark's voice comment; null if it has none. */
  voice: VoiceLocation | null;
  onChange: (mark: Mark) => void;
  onPlay: () => void;
  onRemove: () => void;
  /** Called when the user presses Enter or Esc to finish typing. */
  onDone: () => void;
  /** Shown beside the words or, on narrow screens, below them. */
  children?: ReactNode;
};

export function MarkRow({
  recording: { student, melodyId },
  mark,
  number,
  isOpen,
  isDisabled,
  duration,
  voice,
  children,
  ...on
}: MarkRowProps) {
  const [isAdjusting, setIsAdjusting] = useState(false);
  const place = formatMarkTime(mark);
  const errorId = useId();
  const tooLong = getTooLongMessage(mark.text, MAX_MARK_TEXT_LENGTH);
  const words = useRef<HTMLInputElement>(null);
  const phrases = usePhraseSuggestions({ area: words, value: mark.text, student, melodyId });
  const onKeyDown = (event: KeyboardEvent) => {
    phrases.onKeyDown(event);
    if (event.isDefaultPrevented()) return;
    // Handles Enter, which would submit the form, but not while an input method needs it to end a composition.
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    on.onDone();
  };
  return (
    <li data-mark={getMarkKey(mark)} className="relative rounded-md border border-line bg-sunk p-2">
      <div className="@container">
        <div className="flex flex-wrap items-center gap-2">
          <PinNumber {...{ number }} />
          <button
            type="button"
            aria-label={`Play from comment ${number}, ${place}`}
            onClick={on.onPlay}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-md bg-saffron-ground px-3 text-sm font-semibold text-saffron-ink tabular-nums"
          >
            <Play className="size-4" />
            {place}
            {isOpen && mark.end === null && ' …'}
          </button>
          {voice && <MarkVoicePlayer {...{ voice, place }} />}
          <input
            ref={words}
            type="text"
            dir="auto"
            aria-label={`Comment at ${place}`}
            placeholder="A few words"
            {...(tooLong && { 'aria-invalid': true, 'aria-describedby': errorId })}
            value={mark.text}
            readOnly={isDisabled}
            onChange={(event) => {
              on.onChange(editMark(mark, { text: event.target.value }));
              phrases.updateSuggestions();
            }}
            onSelect={phrases.updateSuggestions}
            onKeyDown={onKeyDown}
            onBlur={phrases.hide}
            {...phrases.aria}
            className={clsx(
              voice ? 'basis-24' : 'basis-48',
              'h-11 min-w-0 grow rounded-md border border-edge bg-surface px-3 text-base aria-invalid:border-2 aria-invalid:border-danger @max-[26rem]:order-last @max-[26rem]:basis-full',
            )}
          />
          {children}
          <span className="ms-auto flex">
            <IconButton
              label={`Change the times of comment ${number}`}
              icon={<SlidersHorizontal />}
              aria-expanded={isAdjusting}
              disabled={isDisabled}
              onClick={() => setIsAdjusting(!isAdjusting)}
            />
            <IconButton
              label={`Delete comment ${number}, ${place}`}
              icon={<Trash2 />}
              disabled={isDisabled}
              onClick={on.onRemove}
            />
          </span>
        </div>
      </div>
      {phrases.list}
      {tooLong && (
        <p id={errorId} className="mt-1.5 px-1 text-sm font-semibold text-danger">
          {tooLong}
        </p>
      )}
      <CharacterCounter text={mark.text} limit={MAX_MARK_TEXT_LENGTH} />
      {voice && <VoiceWarnings {...{ voice }} />}
      {isAdjusting && (
        <MarkTimesFields
          {...{ mark, duration }}
          onChange={(times) => {
            on.onChange(editMark(mark, times));
            setIsAdjusting(false);
          }}
        />
      )}
    </li>
  );
}

type MarkTimesFieldsProps = {
  mark: Mark;
  duration: number;
  onChange: (times: Pick<Mark, 'start' | 'end'>) => void;
};

function MarkTimesFields({ mark, duration, onChange }: MarkTimesFieldsProps) {
  const [from, setFrom] = useState(() => formatEditableTime(mark.start));
  const [to, setTo] = useState(() => (mark.end === null ? '' : formatEditableTime(mark.end)));
  const [wrong, setWrong] = useState<string | null>(null);
  const set = () => {
    const [start, end] = [parseEditableTime(from), to.trim() === '' ? null : parseEditableTime(to)];
    const isUnread = to.trim() !== '' && end === null;
    const problem = validateMarkTimes(isUnread ? null : start, end, duration);
    setWrong(problem);
    if (problem === null && start !== null) onChange({ start, end });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    set();
  };
  return (
    <div onKeyDown={onKeyDown} className="mt-2 flex flex-wrap items-end gap-2 px-1 pb-1">
      <TextField
        label="From"
        className="w-28"
        value={from}
        inputMode="decimal"
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label="To"
        className="w-28"
        value={to}
        inputMode="decimal"
        placeholder="–"
        onChange={(event) => setTo(event.target.value)}
      />
      <Button icon={<Check />} onClick={set}>
        Set times
      </Button>
      {wrong && (
        <p role="alert" className="w-full text-sm font-semibold text-danger">
          {wrong}
        </p>
      )}
    </div>
  );
}
