/**
 * Owner of resources that must be released: listeners, timers, streams. They are released together, in reverse
 * order.
 */
export type ResourceScope = {
  readonly ended: boolean;
  /**
   * Runs `end` when the scope ends, or immediately if it has already ended, so that a resource acquired too
   * late is released as well.
   */
  own(end: () => void): void;
  listen(target: EventTarget, type: string, listener: (event: Event) => void): void;
  /** Runs `action` after this time, unless the scope ends first. */
  after(milliseconds: number, action: () => void): void;
  /** Releases everything owned. Calling it again does nothing. */
  end(): void;
};

export function createResourceScope(): ResourceScope {
  const endings: (() => void)[] = [];
  let ended = false;

  function own(end: () => void): void {
    if (ended) end();
    else endings.push(end);
  }

  return {
    get ended() {
      return ended;
    },
    own,
    listen(target, type, listener) {
      if (ended) return;
      target.addEventListener(type, listener);
      own(() => target.removeEventListener(type, listener));
    },
    after(milliseconds, action) {
      if (ended) return;
      const timer = setTimeout(action, milliseconds);
      own(() => clearTimeout(timer));
    },
    end() {
      ended = true;
      for (let end = endings.pop(); end; end = endings.pop()) end();
    },
  };
}
