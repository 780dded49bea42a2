/**
 * Returns the id of the melody whose player a URL opens, or null. The server also uses it to preload the data
 * of that page.
 */
export function getPlayedMelodyId(search: URLSearchParams): number | null {
  const play = search.get('play') ?? '';
  return /^[1-9]\d{0,8}$/.test(play) ? Number(play) : null;
}

/** Class of the root element while the player is open. In a server-rendered page, the server sets it. */
export const PLAYER_OPEN_CLASS = 'is-player-open';
