/** One part of the page ends and the next takes over in between: what was sung goes from the recorder to its form. */
const HANDING_OVER_MS = 300;

const held = new Set<symbol>();
const waiting = new Set<() => void>();

/** Says that something is under way in this tab which leaving would cut off. @returns ends it */
export function blockNavigation(): () => void {
  const one = Symbol('under way');
  held.add(one);
  return () => {
    if (held.delete(one)) setTimeout(goOn, HANDING_OVER_MS);
  };
}

/** Runs `act` once nothing is under way; at once when nothing is. */
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
