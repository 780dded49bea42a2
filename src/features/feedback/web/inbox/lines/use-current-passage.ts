import { useCallback, useEffect, useRef, useState } from 'react';
import { passageAt, type SungPassage } from '#features/feedback/web/marks/sung-passages.ts';

/** A passage that was played to its end is still the current one. */
const AROUND_SECONDS = 0.5;

const isAround = ({ start, end }: SungPassage, seconds: number) =>
  seconds > start - AROUND_SECONDS && seconds < end + AROUND_SECONDS;

/**
 * The passage at the position of a recording: the one that was chosen last, as long as the position is in it or at its
 * ends, else what is sung there.
 */
export function useCurrentPassage(audio: HTMLAudioElement | null, passages: readonly SungPassage[]) {
  const [key, setKey] = useState<string | null>(null);
  const chosen = useRef<string | null>(null);
  const find = useCallback(() => {
    if (!audio) return null;
    const held = passages.find((each) => each.key === chosen.current);
    return held && isAround(held, audio.currentTime) ? held : passageAt(passages, audio.currentTime);
  }, [audio, passages]);
  const look = useCallback(() => {
    const passage = find();
    if (passage?.key !== chosen.current) chosen.current = null;
    setKey(passage?.key ?? null);
  }, [find]);
  useEffect(() => {
    if (!audio) return;
    const listening = new AbortController();
    let frame = 0;
    // Frame by frame: what is lit a quarter of a second late is lit at the wrong word.
    const follow = () => {
      cancelAnimationFrame(frame);
      look();
      if (!audio.paused) frame = requestAnimationFrame(follow);
    };
    for (const event of ['play', 'pause', 'seeking', 'seeked', 'ended', 'emptied'])
      audio.addEventListener(event, follow, { signal: listening.signal });
    follow();
    return () => {
      listening.abort();
      cancelAnimationFrame(frame);
    };
  }, [audio, look]);
  return {
    current: passages.find((each) => each.key === key) ?? null,
    find,
    /** To be called after a move: a sound that is not loaded yet tells of none. */
    look,
    /** The position is about to be in it. */
    choose(passage: SungPassage) {
      chosen.current = passage.key;
      setKey(passage.key);
    },
  };
}
