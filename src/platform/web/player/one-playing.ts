import type { Playable } from '../audio/playback.ts';

type Sounding = { isOn(): boolean; pause(): void };

/** During the student's turn the element is silent and yet at work: so not the element joins, but the player. */
export function joinOnePlaying(
  onePlaying: { join(player: Playable): () => void },
  { isOn, pause }: Sounding,
) {
  const player = Object.defineProperty(new EventTarget(), 'paused', { get: () => !isOn() });
  const leave = onePlaying.join(Object.assign(player, { pause }) as Playable);
  return { begin: () => void player.dispatchEvent(new Event('play')), leave };
}
