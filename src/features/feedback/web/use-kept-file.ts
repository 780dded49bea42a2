import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import type { NewStoredRecording } from '#web/audio/stored-recording.ts';
import { newId } from '#web/uploads/new-id.ts';
import { holdTake } from '#features/recordings/web/takes/take-locks.ts';
import { removeTake, takeStore } from '#features/recordings/web/takes/use-takes.ts';

/**
 * Stores a chosen file on the device, held before other tabs see it, or they would take it for left behind. If the
 * device can't store it, nothing is lost: the file is still where it was.
 * @param current the current choice
 * @param onKept called with the audio and its stored copy
 * @returns `keep`; and `letGo`, which releases the file once the caller holds it itself
 */
export function useKeptFile(
  owner: Pick<NewStoredRecording, 'userId' | 'purpose'>,
  current: RefObject<ChosenAudio | null>,
  onKept: (audio: ChosenAudio) => void,
) {
  const held = useRef(new Set<() => void>());
  const isHere = useRef(true);
  const [letGo] = useState(() => () => {
    for (const leave of held.current) leave();
    held.current.clear();
  });
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
      letGo();
    };
  }, [letGo]);

  async function keep({ blob, name, seconds, peaks }: ChosenAudio) {
    const id = newId();
    const leave = holdTake(id);
    try {
      const take = { ...owner, origin: 'uploaded', name, type: blob.type } as const;
      const kept = await takeStore().keepFile(take, blob, { seconds, peaks }, id);
      // It was replaced or sent while it was being written to disk.
      if (current.current?.blob !== blob) return await removeTake(id);
      const now = current.current;
      if (now.seconds !== seconds || now.peaks !== peaks)
        await takeStore().change(id, { seconds: now.seconds, peaks: now.peaks });
      if (isHere.current) {
        held.current.add(leave);
        onKept({ ...now, kept });
      }
    } catch {
      // Kept in this page's memory only.
    } finally {
      if (!held.current.has(leave)) leave();
    }
  }
  return { keep, letGo };
}
