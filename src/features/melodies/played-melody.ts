/** Returns the melody whose player an address opens, or null. The server preloads what that page shows. */
export function getPlayedMelodyId(search: URLSearchParams): number | null {
  const play = search.get('play') ?? '';
  return /^[1-9]\d{0,8}$/.test(play) ? Number(play) : null;
}
