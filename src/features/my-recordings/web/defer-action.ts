/** An action that is about to happen. */
export type DeferredAction = {
  /** Acts at once. */
  run(): void;
  cancel(): void;
};

/** Acts after a delay, or when the page is left before that. `isLeaving`: the page is being closed. */
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
