import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPageUpload } from './page-upload.ts';

/** The upload of a form, aborted when the form is unmounted. */
export function useUpload() {
  const [upload] = useState(() => createPageUpload({}));
  const state = useSyncExternalStore(upload.subscribe, upload.getSnapshot);
  useEffect(() => upload.end, [upload]);
  return {
    state,
    send: upload.send,
    stop: upload.stop,
    wasStopped: () => upload.getSnapshot().step === 'stopped',
  };
}
