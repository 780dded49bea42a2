import { useEffect, useMemo, useRef } from 'react';
import { WAVEFORM_BARS } from '../../../../platform/contract/media.ts';
import { barsOf, enlarged, placeholderBars } from '../../../../platform/web/audio-ui/playback/bars.ts';
import {
  drawBars,
  type DrawnPassage,
  redrawWhenNeeded,
  tokenColour,
} from '../../../../platform/web/audio-ui/playback/draw-bars.ts';
import { SeekSlider } from '../../../../platform/web/audio-ui/playback/seek-slider.tsx';
import type { Loop } from '../../../../platform/web/player/loop.ts';
import { isBeyondRetry, type PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { followFrames } from './frames.ts';
import { LoopHandle } from './loop-handle.tsx';
import { usePlayerSnapshot, usePosition } from './use-practice-player.ts';

type PassageWaveformProps = {
  player: PracticePlayer;
  title: string;
  /** Seed of the placeholder. */
  id: number;
  peaks: string | null;
  /** The waveform is drawn flat until the peaks have arrived. */
  isLoading: boolean;
  /** The peaks could not be loaded, which is shown elsewhere. */
  isMissing: boolean;
};

const FLAT = new Uint8Array(WAVEFORM_BARS);

/** The whole melody as bars with a progress bar below; the user seeks in it, and moves A and B by their handles. */
export function PassageWaveform(props: PassageWaveformProps) {
  const { player, title, id, peaks, isLoading, isMissing } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const progress = useRef<HTMLDivElement>(null);
  const real = useMemo(() => (isLoading ? FLAT : barsOf(peaks)), [isLoading, peaks]);
  const bars = useMemo(() => (real ? enlarged(real) : placeholderBars(id)), [real, id]);
  const { length, loop, phase } = usePlayerSnapshot(player);
  const isDisabled = isBeyondRetry(phase) || length === 0;
  const isReal = real !== null;
  const played = Math.min(usePosition(player), Math.floor(length));

  useEffect(() => {
    const drawn = canvas.current;
    if (!drawn) return;
    const draw = () => {
      const { length: whole, loop: now } = player.snapshot();
      const fraction = whole > 0 ? player.position() / whole : 0;
      const colours = {
        played: tokenColour(drawn, isReal ? 'action' : 'soft'),
        rest: tokenColour(drawn, 'edge'),
        restOpacity: isReal ? 0.75 : 0.4,
      };
      drawBars(drawn, bars, fraction, colours, drawnPassage(drawn, now, whole));
      if (progress.current) progress.current.style.transform = `scaleX(${Math.min(1, fraction)})`;
    };
    const stopFollowing = followFrames(player, draw);
    const stopRedrawing = redrawWhenNeeded(drawn, draw);
    return () => {
      stopFollowing();
      stopRedrawing();
    };
  }, [player, bars, isReal]);

  return (
    <div>
      <div className="relative">
        <SeekSlider
          {...{ title, length, played, isDisabled }}
          position={player.position}
          onSeek={player.seek}
        >
          <canvas ref={canvas} aria-hidden="true" className="block h-24 w-full" />
          <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-line">
            <div ref={progress} className="h-full origin-left bg-action" />
          </div>
        </SeekSlider>
        {!isDisabled && loop.kind !== 'none' && (
          <LoopHandle
            point="A"
            at={loop.a}
            highest={loop.kind === 'active' ? loop.b : length}
            length={length}
            onMove={player.moveA}
          />
        )}
        {!isDisabled && loop.kind === 'active' && (
          <LoopHandle
            point="B"
            at={loop.b}
            lowest={loop.a}
            highest={length}
            length={length}
            onMove={player.moveB}
          />
        )}
      </div>
      {!isReal && !isMissing && (
        <p className="mt-1 text-xs text-soft">The waveform of this melody is not available.</p>
      )}
    </div>
  );
}

function drawnPassage(canvas: Element, loop: Loop, length: number): DrawnPassage | null {
  if (loop.kind !== 'active' || length === 0) return null;
  return {
    from: loop.a / length,
    to: loop.b / length,
    ground: tokenColour(canvas, 'saffron-ground'),
    rest: tokenColour(canvas, 'saffron'),
  };
}
