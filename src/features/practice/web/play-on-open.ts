let next: number | null = null;

/** Makes this melody's player start by itself when it opens next, because a play button opens it. */
export const playOnOpen = (melodyId: number) => {
  next = melodyId;
};

/** Returns whether this melody's player should start by itself, once. */
export function takePlayOnOpen(melodyId: number): boolean {
  const isNext = next === melodyId;
  if (isNext) next = null;
  return isNext;
}
