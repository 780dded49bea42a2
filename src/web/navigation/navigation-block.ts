/**
 * Delay between the end of a block and the waiting actions. In this time, one part of the page can hand over to
 * the next, such as the recorder to its form, which then blocks navigation itself.
 */
const HANDOVER_MS = 300;

const activeBlocks = new Set<symbol>();
const waitingActions = new Set<() => void>();

/**
 * Blocks automatic navigation while it would interrupt something in this tab.
 * @returns a function that ends the block
 */
export function blockNavigation(): () => void {
  const one = Symbol('under way');
  activeBlocks.add(one);
  return () => {
    if (activeBlocks.delete(one)) setTimeout(runWaitingActions, HANDOVER_MS);
  };
}

/** Runs `act` as soon as nothing blocks navigation. */
export function runWhenNavigationUnblocked(act: () => void): void {
  if (activeBlocks.size === 0) act();
  else waitingActions.add(act);
}

function runWaitingActions() {
  if (activeBlocks.size > 0) return;
  const acts = [...waitingActions];
  waitingActions.clear();
  acts.forEach((act) => act());
}
