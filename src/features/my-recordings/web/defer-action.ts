/** An action that runs after a delay unless it is cancelled. */
export type DeferredAction = {
  /** Runs the action now instead of after the delay. */
  run(): void;
  cancel(): void;
};

/** Calls `act(false)` after the delay, or `act(true)` if the page is closed before then. */
export function deferAction(milliseconds: number, act: (isLeaving: boolean) => void): DeferredAction {
  const ending = new AbortController();
  const end = () => {
    clearTimeout(timer);
    ending.abort();
  };
  const actNow = (isLeaving: boolean) => {
    if (ending.signal.aborted) return;
    end();
    act(isLeaving);
  };
  const timer = setTimeout(() => actNow(false), milliseconds);
  addEventListener('pagehide', () => actNow(true), { signal: ending.signal });
  return { run: () => actNow(false), cancel: end };
}
