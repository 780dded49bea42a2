import type { PlayerClock } from '../engine/player-environment.ts';
import { type PlayOncePlayer, playPassageOnce } from '../engine/play-passage-once.ts';
import { createResourceScope, type ResourceScope } from '#web/api/resource-scope.ts';
import type { TakePassage } from './practice-take.ts';

/** Who is heard: the teacher ('hers'), the student ('mine'), or both. */
export type ComparedVoice = 'hers' | 'mine' | 'both';

type TakeAudio = EventTarget & Pick<HTMLMediaElement, 'currentTime' | 'play' | 'pause'>;

/** Maximum offset at which two voices are still heard as one. */
const SYNC_TOLERANCE_SECONDS = 0.04;

type ComparisonOptions = {
  player: PlayOncePlayer & { setRate(rate: number): void };
  own: TakeAudio;
  clock: PlayerClock;
  passage: TakePassage;
  onChange: () => void;
};

/** Plays the teacher's passage and a take of it, one at a time or together. */
export function createComparisonPlayer({ player, own, clock, passage, onChange }: ComparisonOptions) {
  const { a, rate, offset } = passage;
  let voice: ComparedVoice | null = null;
  let scope: ResourceScope | null = null;

  function stop(): void {
    scope?.end();
    scope = null;
    setVoice(null);
  }

  function setVoice(next: ComparedVoice | null): void {
    if (voice === next) return;
    voice = next;
    onChange();
  }

  /** Returns the take's position, in seconds, that corresponds to the melody's current position. */
  const getTakePosition = () => offset + (player.position() - a) / rate;
  const align = () => {
    if (player.clock.isPlaying() && Math.abs(own.currentTime - getTakePosition()) > SYNC_TOLERANCE_SECONDS)
      own.currentTime = getTakePosition();
  };

  /** Plays the teacher, the student or both. Must be called during a press, because phones require that. */
  function play(nextVoice: ComparedVoice): void {
    stop();
    const playback = createResourceScope();
    scope = playback;
    playback.listen(own, 'ended', stop);
    playback.own(() => own.pause());
    // Stops if other audio starts, because that pauses the take and rejects its play() promise.
    const playOwn = () => void own.play().catch(() => scope === playback && stop());
    if (nextVoice === 'mine') {
      player.pause();
      playback.own(player.subscribeToTime(() => player.clock.isOn() && stop()));
      own.currentTime = offset;
      playOwn();
    } else {
      player.setRate(rate);
      playback.own(
        playPassageOnce({
          ...{ player, clock, passage },
          onRunning() {
            if (nextVoice === 'hers') return;
            own.currentTime = getTakePosition();
            // Aligns the take when it starts to play, because the melody continues while the take is starting.
            playback.listen(own, 'playing', align);
            playOwn();
          },
          onEnd: stop,
        }),
      );
    }
    setVoice(nextVoice);
  }

  return { play, stop, voice: () => voice };
}
