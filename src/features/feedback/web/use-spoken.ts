import { useEffect, useRef, useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/chosen-audio.ts';
import { keptAudio } from '../../../platform/web/audio-ui/kept-audio.ts';
import type { KeepRecording } from '../../../platform/web/audio-ui/keep-recording.ts';
import { useUser } from '../../../platform/web/session.ts';
import { keepWhileRecording } from '../../../platform/web/takes/take-keeper.ts';
import { holdTake, notHeld } from '../../../platform/web/takes/take-locks.ts';
import { removeTake, takeStore, useTakes } from '../../../platform/web/takes/use-takes.ts';
import { useWarningBeforeLeaving } from '../../../platform/web/warning-before-leaving.ts';

/**
 * The spoken part of an answer. What is recorded is kept on the device from its first second under `purpose`; what a
 * closed tab, a crash or a lost session left behind is in its place again.
 */
export function useSpoken(purpose: string) {
  const userId = useUser().id;
  const takes = useTakes(purpose);
  const [audio, setAudio] = useState<ChosenAudio | null>(null);
  const [isRecording, setIsRecording] = useState(false);
  const [restored, setRestored] = useState<'whole' | 'cut off' | null>(null);
  // What began here is not to be found once more, and what was let go of not at all.
  const isOurs = useRef(false);

  useEffect(() => {
    if (isOurs.current || !takes?.length) return;
    let isHere = true;
    const find = async () => {
      const free = await notHeld(takes.map(({ id }) => id));
      const left = takes.findLast(({ id }) => free.has(id));
      const found = left && (await keptAudio(takeStore(), left));
      if (!found || !isHere || isOurs.current) return;
      isOurs.current = true;
      setRestored(found.kept.state === 'recording' ? 'cut off' : 'whole');
      setAudio(found);
    };
    find().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [takes]);

  const keptId = audio?.kept?.id ?? null;
  useEffect(() => (keptId === null ? undefined : holdTake(keptId)), [keptId]);

  // What the device would not keep is in this page alone; a file that was picked is still where it was.
  useWarningBeforeLeaving(audio?.origin === 'recorded' && !audio.kept);

  const choose = (chosen: ChosenAudio | null) => {
    isOurs.current = true;
    // What gives way to another recording, or to none, is not wanted.
    if (keptId !== null && keptId !== chosen?.kept?.id) void removeTake(keptId);
    if (keptId !== chosen?.kept?.id) setRestored(null);
    setAudio(chosen);
  };
  const noteRecording = (is: boolean) => {
    if (is) isOurs.current = true;
    setIsRecording(is);
  };
  const keepRecording: KeepRecording = (name, onProblem) =>
    keepWhileRecording(
      takeStore(),
      { userId, purpose, origin: 'recorded', name, type: 'audio/wav' },
      onProblem,
    );

  return { audio, choose, isRecording, noteRecording, keepRecording, restored };
}
