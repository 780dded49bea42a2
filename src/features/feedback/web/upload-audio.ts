import { useEffect, useRef, useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { createUploadConnection } from '../../../platform/web/takes/upload-connection.ts';
import { newId } from '../../../platform/web/takes/new-id.ts';
import { uploadInChunks } from '../../../platform/web/takes/upload-in-chunks.ts';

export type UploadProgress = ReturnType<typeof useUploadProgress>;

/** How far a spoken answer has come, and a way to stop it; it stops with the page that shows it. */
export function useUploadProgress() {
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
const connection = createUploadConnection();

/**
 * Brings the sound to the server; the same sound again goes on where an earlier try stopped.
 * @returns the name of the upload, for the call that it belongs to
 */
export async function uploadAudio({ blob, kept }: ChosenAudio, progress: UploadProgress): Promise<string> {
  const signal = progress.begin();
  const clientId = kept?.id ?? ids.get(blob) ?? newId();
  ids.set(blob, clientId);
  await uploadInChunks({
    clientId,
    file: blob,
    signal,
    connection,
    onProgress: progress.setFraction,
  });
  return clientId;
}
