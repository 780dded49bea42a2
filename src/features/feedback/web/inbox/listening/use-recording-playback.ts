import { useEffect, useState, useCallback, useRef } from 'react';
import { stepListeningSpeed } from '#web/audio-ui/playback/listening-speed.tsx';
import { togglePlayback } from '#web/audio-ui/playback/use-playback.ts';
import { seekTo } from '#web/audio/passage.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import type { Recording } from '#features/recordings/contract.ts';
import type { Mark } from '#features/feedback/contract.ts';
import {
  findAdjacentLineStart,
  findAdjacentPassageStart,
  estimateMelodyTime,
} from '#features/feedback/web/marks/mark-lines.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';
import { type SungPassage, getCurrentPassage } from '#features/feedback/web/marks/sung-passages.ts';
import { createLineFinder, useMarkPlayer } from '#features/feedback/web/marks/use-mark-player.ts';
import type { InboxCommand } from '../keys/shortcuts.ts';

const SKIP_SECONDS = 3;

export type RecordingPlayback = ReturnType<typeof useRecordingPlayback>;

/**
 * Manages playback of a recording: moves its position, and plays the matching lines of its melody.
 * @param sung the lines found in the recording
 */
export function useRecordingPlayback(
  { melodyId }: Pick<Recording, 'melodyId'>,
  marks: readonly Mark[],
  sung: readonly SungPassage[],
) {
  const { player, playback } = useMarkPlayer();
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [setAudioElement] = useState(() => (element: HTMLAudioElement | null) => {
    player.setRecording(element);
    setAudio(element);
  });
  const { current, find, update, choose } = useCurrentPassage(audio, sung, player.isPassageOn);
  const [melodyPlayedFor, setMelodyPlayedFor] = useMelodyPlayedFor(audio);
  const isStudentNext = current !== null && melodyPlayedFor === current.key;

  const goTo = (seconds: number) => {
    if (!audio) return;
    seekTo(audio, seconds);
    update();
  };
  const skip = (direction: 1 | -1) => {
    if (audio) goTo(audio.currentTime + direction * SKIP_SECONDS);
  };
  const goToLine = async (step: 1 | -1) => {
    if (!audio || melodyId === null) return;
    if (sung.length > 0) {
      // Searches from the start of the current line, because its playback may have ended slightly past the
      // start of the next line, which must not be skipped.
      const from = (step === 1 ? find()?.start : null) ?? audio.currentTime;
      const to = findAdjacentPassageStart(from, step, sung);
      if (to !== null) goTo(to);
      return;
    }
    const melody = await queryClient
      .ensureQueryData(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }))
      .catch(() => null);
    const to = melody && findAdjacentLineStart(audio.currentTime, step, marks, getTimedLines(melody));
    if (to !== null) goTo(to);
  };
  const playPassage = (passage: SungPassage) => {
    choose(passage);
    player.playPassage(passage);
  };
  const playMelody = () => {
    if (!audio || melodyId === null) return;
    const line = find();
    if (!line?.isSure)
      return player.playMelodyLine(
        estimateMelodyTime({ start: audio.currentTime }, marks, sung),
        createLineFinder(melodyId),
      );
    if (melodyPlayedFor === line.key) return playPassage(line);
    choose(line);
    player.stop();
    player.playMelodyLine(line.melody.start, createLineFinder(melodyId));
    setMelodyPlayedFor(line.key);
  };

  return {
    audio,
    setAudioElement,
    /** The passage at the recording's position, even if its line is uncertain. */
    currentPassage: current,
    playPassage,
    /** Whether the melody's line has just been played, so that the student's line comes next. */
    isStudentNext,
    isMelodyOn: playback.sounds === 'melody' || playback.sounds === 'line on its way',
    skip,
    playMelody,
    /** Runs the playback commands, and ignores all others. */
    runCommand(command: InboxCommand) {
      if (command === 'play' && audio) togglePlayback(audio);
      if (command === 'back') skip(-1);
      if (command === 'forward') skip(1);
      if (command === 'slower') stepListeningSpeed(-1);
      if (command === 'quicker') stepListeningSpeed(1);
      if (command === 'line before') void goToLine(-1);
      if (command === 'next line') void goToLine(1);
      if (command === 'melody') playMelody();
    },
  };
}

/**
 * Returns the key of the passage whose melody line was played last, and a function to set it. The key is
 * cleared when the recording plays.
 */
function useMelodyPlayedFor(audio: HTMLAudioElement | null) {
  const [of, setOf] = useState<string | null>(null);
  useEffect(() => {
    if (!audio) return;
    const forget = () => setOf(null);
    audio.addEventListener('play', forget);
    return () => audio.removeEventListener('play', forget);
  }, [audio]);
  return [of, setOf] as const;
}

/**
 * Tracks the current passage of a recording (see {@link getCurrentPassage}).
 * @param isPlayed stable function that returns whether playback is limited to the last chosen passage
 */
function useCurrentPassage(
  audio: HTMLAudioElement | null,
  passages: readonly SungPassage[],
  isPlayed: () => boolean,
) {
  const [key, setKey] = useState<string | null>(null);
  const chosen = useRef<string | null>(null);
  const find = useCallback(() => {
    if (!audio) return null;
    return getCurrentPassage(passages, audio.currentTime, { key: chosen.current, isPlayed: isPlayed() });
  }, [audio, passages, isPlayed]);
  const updateCurrent = useCallback(() => {
    const passage = find();
    if (passage?.key !== chosen.current) chosen.current = null;
    setKey(passage?.key ?? null);
  }, [find]);
  useEffect(() => {
    if (!audio) return;
    const listening = new AbortController();
    let frame = 0;
    // Updates on every frame, because `timeupdate` can be a quarter of a second late, which would highlight
    // the wrong words.
    const follow = () => {
      cancelAnimationFrame(frame);
      updateCurrent();
      if (!audio.paused) frame = requestAnimationFrame(follow);
    };
    for (const event of ['play', 'pause', 'seeking', 'seeked', 'ended', 'emptied'])
      audio.addEventListener(event, follow, { signal: listening.signal });
    follow();
    return () => {
      listening.abort();
      cancelAnimationFrame(frame);
    };
  }, [audio, updateCurrent]);
  return {
    current: passages.find((each) => each.key === key) ?? null,
    find,
    /** Must be called after seeking, because audio that is not loaded yet fires no events. */
    update: updateCurrent,
    /** Makes a passage the current one before the playback position reaches it. */
    choose(passage: SungPassage) {
      chosen.current = passage.key;
      setKey(passage.key);
    },
  };
}
