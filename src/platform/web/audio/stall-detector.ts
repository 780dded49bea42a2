import { SAMPLE_RATE } from './recording-format.ts';
import type { Scope } from '../scope.ts';

export type StallDetector = {
  /** Sound came, or is expected to begin now. */
  came(): void;
  /** Compares what came with the time that went, if the page was in the background and nobody has yet. */
  judge(): void;
};

/** A loaded device hands over late; nothing at all for so long is no delay. */
const STALL_MILLISECONDS = 1_500;

/** What was on its way when the page came back is waited for. */
const ARRIVAL_MILLISECONDS = 1_000;

/** Less than that may be a delay yet, and is no line of a song. */
const MISSED_MILLISECONDS = 1_000;

/**
 * Watches whether sound comes while it is wanted. Telephones may stop a page in the background, its clocks too, and
 * nothing tells the page: so it is measured, frames against the clock on the wall.
 */
export function createStallDetector(
  document: EventTarget & Pick<Document, 'visibilityState'>,
  scope: Scope,
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
    if (of.isWanted() && Date.now() - last >= STALL_MILLISECONDS) stall(true);
  }

  function judge(): void {
    if (!left) return;
    const heard = ((of.frames() - left.frames) / SAMPLE_RATE) * 1000;
    const isMissing = Date.now() - left.at - heard >= MISSED_MILLISECONDS;
    left = null;
    if (isMissing) of.onMissed();
  }

  /** Who has left again meanwhile is judged at the next return. */
  function judgeIfHere(): void {
    if (document.visibilityState === 'visible') judge();
  }

  scope.listen(document, 'visibilitychange', () => {
    if (document.visibilityState === 'visible') scope.after(ARRIVAL_MILLISECONDS, judgeIfHere);
    else if (of.isWanted()) left ??= { at: Date.now(), frames: of.frames() };
  });
  const timer = setInterval(look, STALL_MILLISECONDS / 3);
  scope.own(() => clearInterval(timer));
  return { came, judge };
}
