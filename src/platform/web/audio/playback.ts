/** The part of an `<audio>` element that {@link onePlaying} needs. */
export type Playable = EventTarget & Pick<HTMLMediaElement, 'pause' | 'paused'>;

/** Sees to it that at most one of the page's players sounds at a time. */
export const onePlaying = createOnePlaying();

/** A registry of its own, for tests. */
export function createOnePlaying() {
  const players = new Set<Playable>();

  function pauseAll(except?: Playable): void {
    for (const player of players) {
      if (player !== except && !player.paused) player.pause();
    }
  }

  return {
    /** Makes `player` one of those that stop each other. Call the answer when it leaves the page. */
    join(player: Playable): () => void {
      const onPlay = () => pauseAll(player);
      players.add(player);
      player.addEventListener('play', onPlay);
      return () => {
        player.removeEventListener('play', onPlay);
        players.delete(player);
      };
    },
    /** Silences the page; a recorder does so when it starts, or the microphone would hear the player. */
    pauseAll(): void {
      pauseAll();
    },
  };
}
