/**
 * Passes on the first URLs immediately. URLs that follow within `momentMs` are passed on together when that
 * time has passed. A hundred invitations cause a hundred changes, but must not cause a hundred requests.
 */
export function throttleRefreshes(pass: (addresses: readonly string[]) => void, momentMs: number) {
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
