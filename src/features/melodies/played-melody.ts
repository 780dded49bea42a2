/** The melody whose player an address opens; null for none. The server sends along what the page then shows. */
export function playedMelodyIn(search: URLSearchParams): number | null {
  const play = search.get('play') ?? '';
  return /^[1-9]\d{0,8}$/.test(play) ? Number(play) : null;
}
