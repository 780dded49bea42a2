/**
 * Passes on what comes at once; what follows within a moment, together when the moment is over. A hundred invites are
 * a hundred changes, and no reason to ask a hundred times.
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
