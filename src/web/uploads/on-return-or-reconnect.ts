/**
 * Calls `listener` whenever the browser reconnects or the user returns to this page, until the signal aborts.
 */
export function onReturnOrReconnect(listener: () => void, signal: AbortSignal): void {
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

/**
 * Resolves after `ms`, or sooner if the browser reconnects or the user returns to this page.
 * @throws the signal's reason if it aborts
 */
export async function waitForReturnOrReconnect(ms: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms);
      onReturnOrReconnect(resolve, over.signal);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
    });
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
