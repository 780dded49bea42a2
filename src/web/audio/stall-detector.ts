import { RECORDING_SAMPLE_RATE } from './recording-format.ts';
import type { ResourceScope } from '../api/resource-scope.ts';

export type StallDetector = {
  /** Restarts the stall timeout, because sound has arrived or is expected from now on. */
  recordArrival(): void;
  /**
   * Reports missed sound if the page was hidden after the last check and has lost at least MIN_MISSED_MS of
   * sound since it was hidden.
   */
  checkArrival(): void;
};

/** Time without sound that counts as a stall. A busy device may deliver late, but not this late. */
const STALL_TIMEOUT_MS = 1_500;

/** Time to wait for delayed sound after the page becomes visible again. */
const ARRIVAL_TIMEOUT_MS = 1_000;

/**
 * Minimum gap that counts as missed sound. A shorter gap may be only a delay, and is too short for a sung line.
 */
const MIN_MISSED_MS = 1_000;

/**
 * Creates a detector that reports when sound stops arriving while it is wanted. It compares the frames received
 * with the wall clock, because phones may suspend a page in the background, including its timers, without
 * notice.
 */
export function createStallDetector(
  document: EventTarget & Pick<Document, 'visibilityState'>,
  scope: ResourceScope,
  of: {
    isWanted(): boolean;
    frames(): number;
    onStall(stalled: boolean): void;
    onMissed(): void;
  },
): StallDetector {
  let last = Date.now();
  let left: { at: number; frames: number } | null = null;
  let isStalled = false;

  function stall(stalled: boolean): void {
    if (isStalled === stalled) return;
    isStalled = stalled;
    of.onStall(stalled);
  }

  function came(): void {
    last = Date.now();
    stall(false);
  }

  function look(): void {
    if (of.isWanted() && Date.now() - last >= STALL_TIMEOUT_MS) stall(true);
  }

  function judge(): void {
    if (!left) return;
    const recordedMs = ((of.frames() - left.frames) / RECORDING_SAMPLE_RATE) * 1000;
    const isMissing = Date.now() - left.at - recordedMs >= MIN_MISSED_MS;
    left = null;
    if (isMissing) of.onMissed();
  }

  /** Checks for missed sound. If the page is hidden again, the check waits until the page is next visible. */
  function checkIfVisible(): void {
    if (document.visibilityState === 'visible') judge();
  }

  scope.listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') scope.after(ARRIVAL_TIMEOUT_MS, checkIfVisible);
    else if (of.isWanted()) left ??= { at: Date.now(), frames: of.frames() };
  });
  const timer = setInterval(look, STALL_TIMEOUT_MS / 3);
  scope.own(() => clearInterval(timer));
  return { recordArrival: came, checkArrival: judge };
}
