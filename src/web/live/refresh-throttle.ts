/**
 * Creates a throttle for URLs to refresh. It passes on the first URLs immediately, and those that follow
 * within `momentMs` together when that time has passed. So inviting a hundred people does not cause a hundred
 * requests.
 */
export function createRefreshThrottle(pass: (addresses: readonly string[]) => void, momentMs: number) {
  const waiting = new Set<string>();
  let moment: ReturnType<typeof setTimeout> | undefined;

  function passOn() {
    moment = undefined;
    if (waiting.size === 0) return;
    const addresses = [...waiting];
    waiting.clear();
    moment = setTimeout(passOn, momentMs);
    pass(addresses);
  }

  return {
    add(addresses: readonly string[]) {
      for (const address of addresses) waiting.add(address);
      if (moment === undefined) passOn();
    },
    end: () => clearTimeout(moment),
  };
}
