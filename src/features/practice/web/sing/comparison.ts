import type { Clock } from '../engine/player-environment.ts';
import { type PassagePlayer, playOnce } from '../engine/play-once.ts';
import { createScope, type Scope } from '#web/api/scope.ts';
import type { SungPassage } from './practice-take.ts';

/** Whose voice is heard. */
export type Voice = 'hers' | 'mine' | 'both';

type OwnSound = EventTarget & Pick<HTMLMediaElement, 'currentTime' | 'play' | 'pause'>;

/** Two voices this far apart are heard as one. */
const TOGETHER_SECONDS = 0.04;

type ComparisonOptions = {
  player: PassagePlayer & { setRate(rate: number): void };
  own: OwnSound;
  clock: Clock;
  passage: SungPassage;
  onChange: () => void;
};

/** The teacher's passage and a take of it, one after the other or both at once. */
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

  /** Where the take is when the melody is where it is now. */
  const beside = () => offset + (player.position() - a) / rate;
  const align = () => {
    if (player.clock.isPlaying() && Math.abs(own.currentTime - beside()) > TOGETHER_SECONDS)
      own.currentTime = beside();
  };

  /** Must be called during a press: phones play only then. */
  function play(wanted: Voice): void {
    stop();
    const begun = createScope();
    scope = begun;
    begun.listen(own, 'ended', stop);
    begun.own(() => own.pause());
    // What is begun next pauses this one, and the browser rejects it then.
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
            // It takes a moment to sound, and the melody goes on meanwhile.
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
