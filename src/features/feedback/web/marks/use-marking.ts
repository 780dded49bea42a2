import { useRef, useState } from 'react';
import { playFrom } from '#web/audio/passage.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { endMarkAt, roundToTenth } from './mark-times.ts';
import { getMarkKey, toggleMarkAt, type MarkingState, addMark } from './marking.ts';

export type Marking = ReturnType<typeof useMarking>;

type MarkingOptions = {
  marks: readonly Mark[];
  onChange: (marks: readonly Mark[]) => void;
  /** The recording's audio element. */
  audio: HTMLAudioElement | null;
  /** Duration of the recording, in seconds. */
  duration: number;
};

/** Manages setting marks at the recording's current position. */
export function useMarking({ marks, onChange, audio, duration }: MarkingOptions) {
  const [openKey, setOpenKey] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = marks.some((mark) => getMarkKey(mark) === openKey && mark.end === null);

  const apply = (next: MarkingState) => {
    setOpenKey(next.openKey);
    if (next.marks === marks) return;
    onChange(next.marks);
    const changed = next.marks.find((each) => !marks.includes(each));
    if (changed)
      setAnnouncement(
        changed.end === null
          ? `Comment added at ${formatMarkTime(changed)}`
          : `Comment on ${formatMarkTime(changed)}`,
      );
  };
  const mark = () => {
    if (audio) apply(toggleMarkAt(audio.currentTime, { marks, openKey }, duration));
  };
  return {
    marks,
    /** Ref to the mark button, to which focus returns. */
    button,
    change: onChange,
    openKey,
    isOpen,
    toggleMark: mark,
    /** Adds a mark for a passage, unless it is too short. Times are in seconds from the recording's start. */
    addStretch(from: number, to: number) {
      const made = { start: roundToTenth(from), end: roundToTenth(to), text: '' };
      if (endMarkAt(made, to) !== made) apply(addMark(made, { marks, openKey }));
    },
    /** Leaves the open mark without an end. */
    close: () => setOpenKey(null),
    /** Plays from the start of a mark, without stopping at its end. */
    playFrom: ({ start }: Pick<Mark, 'start'>) => audio && playFrom(audio, start),
    announcement,
  };
}
