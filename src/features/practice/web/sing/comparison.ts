import type { Clock } from '../engine/player-environment.ts';
import { type PassagePlayer, playOnce } from '../engine/play-once.ts';
import { createScope, type Scope } from '#web/api/scope.ts';
import type { SungPassage } from './practice-take.ts';

/** The voice to play: the teacher's, the student's, or both. */
export type Voice = 'hers' | 'mine' | 'both';

type OwnSound = EventTarget & Pick<HTMLMediaElement, 'currentTime' | 'play' | 'pause'>;

/** Two voices this close together are heard as one. */
const TOGETHER_SECONDS = 0.04;

type ComparisonOptions = {
  player: PassagePlayer & { setRate(rate: number): void };
  own: OwnSound;
  clock: Clock;
  passage: SungPassage;
  onChange: () => void;
};

/** Plays the teacher's passage and a take of it, one at a time or together. */
export function createComparison({ player, own, clock, passage, onChange }: ComparisonOptions) {
  const { a, rate, offset } = passage;
  let voice: Voice | null = null;
  let scope: Scope | null = null;

  function stop(): void {
    scope?.end();
    scope = null;
    change(null);
  }

  function change(next: Voice | null): void {
    if (voice === next) return;
    voice = next;
    onChange();
  }

  /** The take's position that corresponds to the melody's current position. */
  const beside = () => offset + (player.position() - a) / rate;
  const align = () => {
    if (player.clock.isPlaying() && Math.abs(own.currentTime - beside()) > TOGETHER_SECONDS)
      own.currentTime = beside();
  };

  /** Plays a voice. Must be called during a press, because phones allow playback only then. */
  function play(wanted: Voice): void {
    stop();
    const begun = createScope();
    scope = begun;
    begun.listen(own, 'ended', stop);
    begun.own(() => own.pause());
    // Starting another sound pauses this one, which rejects its play() promise.
    const playOwn = () => void own.play().catch(() => scope === begun && stop());
    if (wanted === 'mine') {
      player.pause();
      begun.own(player.subscribeToTime(() => player.clock.isOn() && stop()));
      own.currentTime = offset;
      playOwn();
    } else {
      player.setRate(rate);
      begun.own(
        playOnce({
          ...{ player, clock, passage },
          onRunning() {
            if (wanted === 'hers') return;
            own.currentTime = beside();
            // The take starts with a delay during which the melody plays on.
            begun.listen(own, 'playing', align);
            playOwn();
          },
          onEnd: stop,
        }),
      );
    }
    change(wanted);
  }

  return { play, stop, voice: () => voice };
}
