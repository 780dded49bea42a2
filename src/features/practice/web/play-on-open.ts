let pendingMelodyId: number | null = null;

/** Makes this melody's player start by itself when it opens next, because a play button opens it. */
export const setPlayOnOpen = (melodyId: number) => {
  pendingMelodyId = melodyId;
};

/** Returns whether this melody's player should start by itself, once. */
export function consumePlayOnOpen(melodyId: number): boolean {
  const isNext = pendingMelodyId === melodyId;
  if (isNext) pendingMelodyId = null;
  return isNext;
}
