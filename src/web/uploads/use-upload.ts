import { useEffect, useState } from 'react';
import { useStore } from '../use-store.ts';
import { createFormUpload } from './form-upload.ts';

/** Returns a form's upload, which is aborted when the form is unmounted. */
export function useUpload() {
  const [upload] = useState(() => createFormUpload({}));
  const state = useStore(upload);
  useEffect(() => upload.end, [upload]);
  return {
    state,
    send: upload.send,
    stop: upload.stop,
    wasStopped: () => upload.get().step === 'stopped',
  };
}
