/** Returns the URL that opens a melody's player and then plays the rest of today's list. */
export const getTodaysListUrl = (melodyId: number) => `/melodies?play=${melodyId}&list=today`;

export const isPlayingTodaysList = (search: string) => new URLSearchParams(search).get('list') === 'today';
