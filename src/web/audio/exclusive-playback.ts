/** The part of an `<audio>` element that {@link exclusivePlayback} needs. */
export type PlayableMedia = EventTarget & Pick<HTMLMediaElement, 'pause' | 'paused'>;

/** Registry of the page's players, of which at most one plays at a time. */
export const exclusivePlayback = createExclusivePlayback();

/** Creates a registry of players. The app uses only {@link exclusivePlayback}; tests create their own. */
export function createExclusivePlayback() {
  const players = new Set<PlayableMedia>();

  function pauseAll(except?: PlayableMedia): void {
    for (const player of players) {
      if (player !== except && !player.paused) player.pause();
    }
  }

  return {
    /**
     * Adds `player` to the players that pause each other.
     * @returns a function to call when the player leaves the page
     */
    add(player: PlayableMedia): () => void {
      const onPlay = () => pauseAll(player);
      players.add(player);
      player.addEventListener('play', onPlay);
      return () => {
        player.removeEventListener('play', onPlay);
        players.delete(player);
      };
    },
    /** Pauses all players. A recorder calls this when it starts, because its microphone would pick them up. */
    pauseAll(): void {
      pauseAll();
    },
  };
}
