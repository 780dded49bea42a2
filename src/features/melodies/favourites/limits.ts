export const MAX_FAVOURITES = 200;
export const MAX_TODAYS_MELODIES = 50;
/**
 * Maximum number of times to sing one melody on today's list. A mala, the string of beads for counting
 * recitations, has 108 beads.
 */
export const MAX_REPETITIONS_PER_MELODY = 108;
