export const MAX_FAVOURITES = 200;
export const MAX_TODAYS_MELODIES = 50;
/** Number of beads on a mala, the string of beads on which recitations are counted. */
export const MAX_REPETITIONS_PER_MELODY = 108;
