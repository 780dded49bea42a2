/** Time for one part of the page to end and the next to take over: the recorder passes the sound on to its form. */
const HANDING_OVER_MS = 300;

const held = new Set<symbol>();
const waiting = new Set<() => void>();

/** Blocks automatic navigation, because it would interrupt something in this tab. @returns a function that ends this */
export function blockNavigation(): () => void {
  const one = Symbol('under way');
  held.add(one);
  return () => {
    if (held.delete(one)) setTimeout(goOn, HANDING_OVER_MS);
  };
}

/** Runs `act` as soon as nothing blocks navigation. */
export function whenNavigationIsFree(act: () => void): void {
  if (held.size === 0) act();
  else waiting.add(act);
}

function goOn() {
  if (held.size > 0) return;
  const acts = [...waiting];
  waiting.clear();
  acts.forEach((act) => act());
}
