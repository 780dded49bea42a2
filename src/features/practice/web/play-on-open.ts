let pendingMelodyId: number | null = null;

/**
 * Makes the player start playback when it next opens for this melody. Called when a play button opens the
 * player, or today's list opens its next melody.
 */
export const setPlayOnOpen = (melodyId: number) => {
  pendingMelodyId = melodyId;
};

/**
 * Returns whether this melody's player should start playback. Returns true only once after {@link
 * setPlayOnOpen}.
 */
export function consumePlayOnOpen(melodyId: number): boolean {
  const isNext = pendingMelodyId === melodyId;
  if (isNext) pendingMelodyId = null;
  return isNext;
}
