import { type ApiResponse, callApi } from '../api/call.ts';

/** The server's progress in inspecting an audio file; null while the server does not report any. */
export type InspectionProgress = ApiResponse<'GET /api/uploads/{clientId}/examination'>['examination'];

/**
 * Minimum duration of an audio file whose inspection may take long. Shorter audio is decoded in a second or
 * two.
 */
const LONG_SECONDS = 5 * 60;

/**
 * Returns whether the server may take long to inspect the audio. Takes from the recorder don't have to be
 * decoded.
 */
export const mayInspectionTakeLong = ({
  origin,
  seconds,
}: {
  origin: 'recorded' | 'uploaded';
  seconds: number | null;
}) => origin === 'uploaded' && (seconds ?? Infinity) >= LONG_SECONDS;

/** Delay before the first poll. Most files are inspected sooner. */
const FIRST_POLL_MS = 4_000;
const POLL_INTERVAL_MS = 4_000;
/** Maximum polling interval, reached by backoff while the server has no progress to report or can't be reached. */
const MAX_POLL_INTERVAL_MS = 32_000;

/**
 * Makes the call that uses an upload and, until its response arrives, polls the server for its progress in
 * inspecting the audio, except while the page is hidden.
 * @param uploadId the upload whose inspection may take long
 * @param onProgress called with each polled value, and with null after a failed poll and at the end
 */
export async function withInspectionPolling<T>(
  uploadId: string,
  make: () => Promise<T>,
  options: {
    onProgress: (progress: InspectionProgress) => void;
    /** Tests pass a fake. */
    call?: typeof callApi | undefined;
  },
): Promise<T> {
  const { onProgress, call = callApi } = options;
  const over = new AbortController();
  // Does not poll in a service worker, which has no page on which to show the progress.
  if (typeof document !== 'undefined') void look();
  try {
    return await make();
  } finally {
    over.abort();
    onProgress(null);
  }

  async function ask(signal: AbortSignal) {
    const params = { clientId: uploadId };
    const answer = await call('GET /api/uploads/{clientId}/examination', { params, signal });
    return answer.examination;
  }

  async function look() {
    const { signal } = over;
    let pause = FIRST_POLL_MS;
    while (await pollingPause.waitUntilVisible(pause, signal)) {
      const progress = await ask(signal).catch(() => null);
      if (signal.aborted) return;
      onProgress(progress);
      pause = progress ? POLL_INTERVAL_MS : Math.min(2 * pause, MAX_POLL_INTERVAL_MS);
    }
  }
}

/** An object, so that tests can replace the pause. */
export const pollingPause = { waitUntilVisible };

/** Waits for this time, and then until the page is visible. Returns false if the signal aborts first. */
function waitUntilVisible(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settled = new AbortController();
    const settle = (isSeen: boolean) => {
      clearTimeout(timer);
      settled.abort();
      resolve(isSeen);
    };
    const settleIfSeen = () => {
      if (document.visibilityState === 'visible') settle(true);
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', settleIfSeen, { signal: settled.signal });
      settleIfSeen();
    }, ms);
    signal.addEventListener('abort', () => settle(false), { signal: settled.signal });
  });
}
