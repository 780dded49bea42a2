/** Calls back whenever the connection or the person comes back to this page, until the signal ends. */
export function whenBack(listener: () => void, signal: AbortSignal): void {
  addEventListener('online', listener, { signal });
  addEventListener('focus', listener, { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible') listener();
    },
    { signal },
  );
}

/** Resolves after so many milliseconds, or sooner when connection or person come back. @throws what the signal says */
export async function backOrAfter(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms);
      whenBack(resolve, over.signal);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
    });
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
