import { clsx } from 'clsx';
import { Bookmark, ChevronDown, Play, Square } from 'lucide-react';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { formatDuration, formatDurationInWords } from '#web/ui/format-duration.ts';
import { useStore } from '#web/use-store.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { TeachingNote } from '../contract.ts';
import type { NoteVoicePlayer } from './note-voice-player.ts';

type Sound = Pick<NonNullable<TeachingNote['voice']>, 'audioUrl' | 'audioCopies' | 'duration'>;
export type ShownNote = Pick<TeachingNote, 'id' | 'text' | 'studentPassage'> & { voice: Sound | null };

type NoteCardProps = {
  note: ShownNote;
  voices: NoteVoicePlayer;
  isOpen?: boolean;
  /** Expands or collapses the note; undefined if it is always open. */
  onFold?: () => void;
  /** Whether a recording is in progress, so that nothing may play. */
  isSilent?: boolean;
};

/** The teacher's note on a line: author, voice recording with its length, words, and a student's passage. */
export function NoteCard({ note, voices, isOpen = true, onFold, isSilent = false }: NoteCardProps) {
  const { teacherTitle } = usePageSettings();
  const wordsId = useId();
  const hasWords = note.text !== '';
  return (
    <div
      data-note={note.id}
      role="group"
      aria-label={`${teacherTitle}’s note`}
      className="w-full max-w-2xl rounded-lg border border-saffron bg-surface px-3 text-start font-sans text-base leading-normal text-wrap normal-case select-text in-[.practice-words]:justify-self-center"
    >
      <div className="relative flex min-h-11 items-center gap-2">
        <Bookmark className="size-5 shrink-0 text-saffron-ink" />
        <p className="min-w-0 grow text-sm leading-tight font-semibold break-words">{teacherTitle}’s note</p>
        {note.voice && <NoteVoiceButton {...{ voices, isSilent }} voice={note.voice} />}
        {hasWords && onFold && (
          <button
            type="button"
            aria-label={isOpen ? 'Hide note' : 'Show note'}
            aria-expanded={isOpen}
            aria-controls={isOpen ? wordsId : undefined}
            onClick={onFold}
            // Makes the whole row pressable, except for the voice button.
            className="-me-3 grid size-11 shrink-0 place-items-center rounded-md after:absolute after:inset-0"
          >
            <ChevronDown className={clsx('size-5', isOpen && 'rotate-180')} />
          </button>
        )}
      </div>
      {note.voice && <VoiceFailure {...{ voices }} voice={note.voice} />}
      {hasWords && isOpen && <NoteWords id={wordsId} text={note.text} />}
      {note.studentPassage && (isOpen || !hasWords) && (
        <StudentPassage passage={note.studentPassage} {...{ voices, isSilent }} />
      )}
    </div>
  );
}

type NoteVoiceButtonProps = {
  voices: NoteVoicePlayer;
  voice: Sound;
  /** Name of the audio, used in the button's label. */
  what?: string;
  isSilent?: boolean;
};

export function NoteVoiceButton({
  voices,
  voice,
  what = 'the voice note',
  isSilent = false,
}: NoteVoiceButtonProps) {
  const playback = useStore(voices);
  const isOn = playback.name === voice.audioUrl;
  const Icon = isOn ? Square : Play;
  return (
    <button
      type="button"
      aria-disabled={isSilent || undefined}
      onClick={() =>
        !isSilent &&
        voices.press(voice.audioUrl, chooseSoundUrl({ name: voice.audioUrl, copies: voice.audioCopies }))
      }
      className={clsx(
        'relative z-10 inline-flex min-h-11 min-w-11 shrink-0 items-center gap-1.5 rounded-md px-2 text-sm font-semibold text-saffron-ink tabular-nums hover:bg-sunk',
        isSilent && 'opacity-60',
      )}
    >
      <Icon className="size-4 fill-current" />
      <span className="sr-only">
        {isOn ? 'Stop' : 'Play'} {what}, {formatDurationInWords(voice.duration)}
      </span>
      <span aria-hidden="true">{formatDuration(voice.duration)}</span>
    </button>
  );
}

type StudentPassageProps = {
  passage: NonNullable<TeachingNote['studentPassage']>;
  voices: NoteVoicePlayer;
  isSilent?: boolean;
};

/** Recording of a student singing the line, shared with the student's agreement. */
export function StudentPassage({ passage, voices, isSilent = false }: StudentPassageProps) {
  const { name } = passage;
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2 border-t border-line text-sm">
        <span className="min-w-0 break-words">
          As {name === null ? 'a student' : <bdi className="font-semibold">{name}</bdi>} sings it
        </span>
        <NoteVoiceButton
          {...{ voices, isSilent }}
          voice={passage}
          what={`how ${name ?? 'a student'} sings it`}
        />
      </div>
      <VoiceFailure {...{ voices }} voice={passage} what="This recording" />
    </>
  );
}

type VoiceFailureProps = { voices: NoteVoicePlayer; voice: Sound; what?: string };

function VoiceFailure({ voices, voice, what = 'The voice note' }: VoiceFailureProps) {
  const { failed } = useStore(voices);
  return (
    <p role="status" className="text-sm text-soft not-empty:pb-2">
      {failed === voice.audioUrl && `${what} couldn’t be played. Please try again.`}
    </p>
  );
}

/** Shows only the beginning of a long note, so that its line stays in view. A button shows the rest. */
function NoteWords({ id, text }: { id: string; text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const { ref, isCut } = useIsTruncated(text);
  return (
    <div id={id} className="pb-2.5">
      <p
        ref={ref}
        {...getLangProps(text)}
        className={clsx(
          'font-serif wrap-anywhere whitespace-pre-line italic data-stacks:not-italic [&:lang(bo)]:not-italic',
          !isWhole && 'note-excerpt',
        )}
      >
        {text}
      </p>
      {(isCut || isWhole) && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="link -mb-2.5 min-h-11 min-w-11 text-start text-sm"
        >
          {isWhole ? 'Less' : 'More'}
        </button>
      )}
    </div>
  );
}

/** Returns a ref for an element, and whether the content of that element is cut off. */
function useIsTruncated(text: string) {
  const ref = useRef<HTMLParagraphElement>(null);
  const [isTruncated, setIsCut] = useState(false);
  const updateIsCut = useCallback(() => {
    const element = ref.current;
    if (element) setIsCut(element.scrollHeight > element.clientHeight + 1);
  }, []);
  useLayoutEffect(() => {
    updateIsCut();
    const element = ref.current;
    if (!element) return;
    const resized = new ResizeObserver(updateIsCut);
    resized.observe(element);
    return () => resized.disconnect();
  }, [updateIsCut, text]);
  return { ref, isCut: isTruncated };
}
