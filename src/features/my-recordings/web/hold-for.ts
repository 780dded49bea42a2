/** An action that is about to happen. */
export type Held = {
  /** Acts at once. */
  now(): void;
  cancel(): void;
};

/** Acts after a delay, or when the page is left before that. `isLeaving`: the page is being closed. */
export function holdFor(milliseconds: number, act: (isLeaving: boolean) => void): Held {
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
  return { now: () => actNow(false), cancel: end };
}
