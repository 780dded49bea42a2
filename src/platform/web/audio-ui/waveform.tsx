import { clsx } from 'clsx';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { duration as asDuration } from '../ui/duration.ts';
import { barsOf, enlarged, placeholderBars } from './bars.ts';
import { drawBars, redrawWhenNeeded, tokenColour } from './draw-bars.ts';
import { MarkPins, type Pin } from './mark-pins.tsx';
import { usePlayedSeconds } from './use-playback.ts';

type WaveformProps = {
  audio: HTMLAudioElement | null;
  title: string;
  seconds: number;
  peaks: string | null;
  id: string | number;
  isDisabled: boolean;
  /** Moments and stretches to show in it. */
  pins?: readonly Pin[] | undefined;
  onPin?: ((index: number) => void) | undefined;
};

const STEP_SECONDS = 5;

/** The sound as bars, and the place where one moves within it: by press, by drag and by arrow keys. */
export function Waveform({ audio, title, seconds, peaks, id, isDisabled, pins, onPin }: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const real = useMemo(() => barsOf(peaks), [peaks]);
  const bars = useMemo(() => (real ? enlarged(real) : placeholderBars(id)), [real, id]);
  const played = Math.min(usePlayedSeconds(audio), Math.floor(seconds));
  const isReal = real !== null;

  useEffect(() => {
    if (!canvas.current || !audio) return;
    return drawAlong(canvas.current, audio, (drawn) => {
      const colours = {
        played: tokenColour(drawn, isReal ? 'action' : 'soft'),
        rest: tokenColour(drawn, 'edge'),
        restOpacity: isReal ? 0.75 : 0.4,
      };
      drawBars(drawn, bars, seconds > 0 ? audio.currentTime / seconds : 0, colours);
    });
  }, [audio, bars, seconds, isReal]);

  const seek = (to: number) => {
    if (audio && !isDisabled) moveTo(audio, Math.min(Math.max(0, to), seconds));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, audio?.currentTime ?? 0, seconds);
    if (to === undefined) return;
    event.preventDefault();
    seek(to);
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const isDown = event.type === 'pointerdown';
    if (isDown) event.currentTarget.setPointerCapture(event.pointerId);
    if (!isDown && !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    seek(((event.clientX - left) / width) * seconds);
  };

  const hasPins = pins !== undefined && pins.length > 0;
  return (
    <div className={clsx('relative', hasPins && 'pt-5')}>
      <div
        role="slider"
        tabIndex={isDisabled ? -1 : 0}
        aria-label={`Position in ${title}`}
        aria-valuemin={0}
        aria-valuemax={Math.floor(seconds)}
        aria-valuenow={played}
        aria-valuetext={`${asDuration(played)} of ${asDuration(seconds)}`}
        aria-disabled={isDisabled || undefined}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        className={`touch-pan-y rounded-sm ${isDisabled ? 'opacity-50' : 'cursor-pointer'}`}
      >
        <canvas ref={canvas} aria-hidden="true" className="block h-12 w-full" />
      </div>
      {hasPins && <MarkPins pins={pins} seconds={seconds} onPress={onPin} />}
    </div>
  );
}

function moveTo(audio: HTMLAudioElement, seconds: number) {
  audio.currentTime = seconds;
}

function keyTarget(key: string, now: number, seconds: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return now - STEP_SECONDS;
    case 'ArrowRight':
    case 'ArrowUp':
      return now + STEP_SECONDS;
    case 'Home':
      return 0;
    case 'End':
      return seconds;
    default:
      return undefined;
  }
}

/** While it sounds, frame by frame; else when something changed. Nothing of it goes through React. */
function drawAlong(
  canvas: HTMLCanvasElement,
  audio: HTMLAudioElement,
  draw: (canvas: HTMLCanvasElement) => void,
) {
  const listening = new AbortController();
  let frame = 0;
  const drawOnce = () => draw(canvas);
  const drawOn = () => {
    cancelAnimationFrame(frame);
    drawOnce();
    if (!audio.paused) frame = requestAnimationFrame(drawOn);
  };
  for (const event of ['play', 'seeking', 'seeked', 'pause', 'ended', 'emptied', 'timeupdate'])
    audio.addEventListener(event, drawOn, { signal: listening.signal });
  const stopRedrawing = redrawWhenNeeded(canvas, drawOnce);
  drawOn();
  return () => {
    listening.abort();
    stopRedrawing();
    cancelAnimationFrame(frame);
  };
}
