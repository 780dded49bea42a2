import { useEffect, useRef, useState } from 'react';
import { playFrom, playPassage } from '../../../platform/web/audio/passage.ts';
import type { Mark } from '../contract.ts';
import { passageOf } from './mark-times.ts';

/**
 * Plays marks of a recording, one at a time.
 * @returns `heard` is the mark that was played last
 */
export function usePassages(audio: HTMLAudioElement | null) {
  const [heard, setHeard] = useState<number | null>(null);
  const leave = useRef(() => {});
  useEffect(() => () => leave.current(), [audio]);

  const play = (mark: Pick<Mark, 'start' | 'end'>, index: number) => {
    if (!audio) return;
    leave.current();
    leave.current = playPassage(audio, passageOf(mark));
    setHeard(index);
  };
  /** From the mark on, without an end. */
  const playOn = ({ start }: Pick<Mark, 'start'>) => {
    if (!audio) return;
    leave.current();
    playFrom(audio, start);
  };
  return { play, playFrom: playOn, heard };
}
