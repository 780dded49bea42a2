import { clsx } from 'clsx';
import { useEffect, useMemo, useRef } from 'react';
import { seekTo } from '#web/audio/passage.ts';
import { decodePeaks, amplifyBars, createPlaceholderBars } from './bars.ts';
import { drawBars, redrawOnResizeOrThemeChange, getWaveformColours } from './draw-bars.ts';
import { MarkPins, type MarkPin } from './mark-pins.tsx';
import { SeekSlider } from './seek-slider.tsx';
import { DraggedRange, useRangeDrag } from './range-drag.tsx';
import { usePlaybackPositionSeconds } from './use-playback.ts';

type WaveformProps = {
  audio: HTMLAudioElement | null;
  title: string;
  seconds: number;
  peaks: string | null;
  id: string | number;
  isDisabled: boolean;
  /** Marks to show in the waveform. */
  pins?: readonly MarkPin[] | undefined;
  onPin?: ((index: number) => void) | undefined;
  isTall?: boolean;
  /** If given, dragging selects a passage (`from` and `to` in seconds). Otherwise, dragging seeks. */
  onStretch?: ((from: number, to: number) => void) | undefined;
};

/** The audio as bars, which also form the slider for seeking by press, drag and keys. */
export function Waveform({
  audio,
  title,
  seconds,
  peaks,
  id,
  isDisabled,
  pins,
  onPin,
  isTall = false,
  onStretch,
}: WaveformProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const real = useMemo(() => decodePeaks(peaks), [peaks]);
  const bars = useMemo(() => (real ? amplifyBars(real) : createPlaceholderBars(id)), [real, id]);
  const played = Math.min(usePlaybackPositionSeconds(audio), Math.floor(seconds));
  const isReal = real !== null;

  useEffect(() => {
    if (!canvas.current || !audio) return;
    return drawDuringPlayback(canvas.current, audio, (drawn) => {
      drawBars(drawn, bars, seconds > 0 ? audio.currentTime / seconds : 0, getWaveformColours(drawn, isReal));
    });
  }, [audio, bars, seconds, isReal]);

  const hasPins = pins !== undefined && pins.length > 0;
  const { stretch, drag } = useRangeDrag(seconds, isDisabled ? undefined : onStretch);
  return (
    <div {...drag} className={clsx('relative', hasPins && 'pt-5')}>
      {stretch && <DraggedRange {...stretch} />}
      <SeekSlider
        {...{ title, played, isDisabled }}
        length={seconds}
        position={() => audio?.currentTime ?? 0}
        onSeek={(to) => {
          if (audio) seekTo(audio, to);
        }}
      >
        <canvas ref={canvas} aria-hidden="true" className={clsx('block w-full', isTall ? 'h-21' : 'h-12')} />
      </SeekSlider>
      {hasPins && <MarkPins pins={pins} seconds={seconds} onPress={onPin} />}
    </div>
  );
}

/**
 * Draws at every animation frame while the audio plays, otherwise only on changes. Does not re-render the
 * component.
 */
function drawDuringPlayback(
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
  const stopRedrawing = redrawOnResizeOrThemeChange(canvas, drawOnce);
  drawOn();
  return () => {
    listening.abort();
    stopRedrawing();
    cancelAnimationFrame(frame);
  };
}
