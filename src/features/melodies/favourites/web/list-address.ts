/** Opens the player of a melody, which goes on to the next of today's list by itself. */
export const listAddress = (melodyId: number) => `/melodies?play=${melodyId}&list=today`;

export const isListPlayed = (search: string) => new URLSearchParams(search).get('list') === 'today';
