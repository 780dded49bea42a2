export const FAVOURITES_MAX = 200;
export const TODAY_MAX = 50;
/** Number of beads on a mala. */
export const TIMES_MAX = 108;
