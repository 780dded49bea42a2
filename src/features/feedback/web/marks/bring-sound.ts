import { useEffect, useRef, useState } from 'react';
import type { ChosenAudio } from '../../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { mustStillBe } from '../../../../platform/web/still-signed-in.ts';
import { createLine } from '../../../../platform/web/takes/line.ts';
import { newId } from '../../../../platform/web/takes/new-id.ts';
import { uploadInPieces } from '../../../../platform/web/takes/upload-in-pieces.ts';

export type Progress = ReturnType<typeof useProgress>;

/** How far a spoken answer has come, and a way to stop it; it stops with the page that shows it. */
export function useProgress() {
  const [fraction, setFraction] = useState(0);
  const ending = useRef<AbortController | null>(null);
  const isStopped = useRef(false);
  useEffect(() => () => ending.current?.abort(), []);
  return {
    /** 0 to 1. */
    fraction,
    setFraction,
    begin(): AbortSignal {
      isStopped.current = false;
      setFraction(0);
      return (ending.current = new AbortController()).signal;
    },
    stop() {
      isStopped.current = true;
      ending.current?.abort();
    },
    wasStopped: () => isStopped.current,
  };
}

const ids = new WeakMap<Blob, string>();
// One in each tab: what one try has shown of it serves the next.
const line = createLine();

/**
 * Brings the sound to the server; the same sound again goes on where an earlier try stopped.
 * @throws {SomebodyElse} when another tab has signed somebody else in
 * @returns the name of the upload, for the call that it belongs to
 */
export async function bringSound(
  userId: string,
  { blob, kept }: ChosenAudio,
  progress: Progress,
): Promise<string> {
  const signal = progress.begin();
  await mustStillBe(userId, signal);
  const clientId = kept?.id ?? ids.get(blob) ?? newId();
  ids.set(blob, clientId);
  await uploadInPieces({
    clientId,
    file: blob,
    signal,
    line,
    onProgress: progress.setFraction,
  });
  return clientId;
}
