/** Address that opens a melody's player and plays on through today's list. */
export const listAddress = (melodyId: number) => `/melodies?play=${melodyId}&list=today`;

export const isListPlayed = (search: string) => new URLSearchParams(search).get('list') === 'today';
