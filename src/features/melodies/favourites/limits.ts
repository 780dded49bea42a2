export const FAVOURITES_MAX = 200;
export const TODAY_MAX = 50;
/** As often as a mala has beads. */
export const TIMES_MAX = 108;
