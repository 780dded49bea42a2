import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef } from 'react';
import { WAVEFORM_BAR_COUNT } from '#shared/media.ts';
import { decodePeaks, amplifyBars, createPlaceholderBars } from '#web/audio-ui/playback/bars.ts';
import {
  drawBars,
  type DrawnPassage,
  redrawOnResizeOrThemeChange,
  getThemeColour,
  getWaveformColours,
} from '#web/audio-ui/playback/draw-bars.ts';
import { SeekSlider } from '#web/audio-ui/playback/seek-slider.tsx';
import type { Loop } from '#web/audio/loop.ts';
import { isPermanentFailure, type PracticePlayer } from './engine/practice-player.ts';
import { type WaveformView, zoomView } from './engine/waveform-view.ts';
import { drawEachFrame } from './draw-each-frame.ts';
import { LoopHandle } from './loop-handle.tsx';
import { usePlayerSnapshot, usePlayerPosition } from './use-practice-player.ts';

type MelodyWaveformProps = {
  player: PracticePlayer;
  title: string;
  /** Seed for the placeholder bars. */
  id: number;
  peaks: string | null;
  /** Whether the peaks are still loading. Until they are loaded, the waveform is flat. */
  isLoading: boolean;
  /** Whether the peaks could not be loaded. Another component shows the message. */
  isMissing: boolean;
  /** The visible part of the melody. */
  view: WaveformView;
  onView: (view: WaveformView) => void;
};

const FLAT_BARS = new Uint8Array(WAVEFORM_BAR_COUNT);
/** Zoom factor of one press of + or −. */
const ZOOM_FACTOR = 2;

/** The melody as bars with a progress bar below. Lets the user seek, zoom, and move A and B by their handles. */
export function MelodyWaveform(props: MelodyWaveformProps) {
  const { player, title, id, peaks, isLoading, isMissing, view, onView } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const progress = useRef<HTMLDivElement>(null);
  const real = useMemo(() => (isLoading ? FLAT_BARS : decodePeaks(peaks)), [isLoading, peaks]);
  const bars = useMemo(() => (real ? amplifyBars(real) : createPlaceholderBars(id)), [real, id]);
  const { length, loop, phase } = usePlayerSnapshot(player);
  const isDisabled = isPermanentFailure(phase) || length === 0;
  const isReal = real !== null;
  const played = Math.min(usePlayerPosition(player), Math.floor(length));
  const { from, to } = view;
  const pinch = usePinch(props);

  useEffect(() => {
    const drawn = canvas.current;
    if (!drawn) return;
    const draw = () => {
      const { length: whole, loop: now } = player.snapshot();
      const fraction = whole > 0 ? player.position() / whole : 0;
      drawBars(drawn, bars, fraction, getWaveformColours(drawn, isReal), {
        passage: toDrawnPassage(drawn, now, whole),
        ...(to > from && { view: { from: from / whole, to: to / whole } }),
        ...(fraction > 0 && { head: getThemeColour(drawn, 'ink') }),
      });
      if (progress.current) progress.current.style.transform = `scaleX(${Math.min(1, fraction)})`;
    };
    const stopFollowing = drawEachFrame(player, draw);
    const stopRedrawing = redrawOnResizeOrThemeChange(drawn, draw);
    return () => {
      stopFollowing();
      stopRedrawing();
    };
  }, [player, bars, isReal, from, to]);

  const onKeyDown = (event: KeyboardEvent) => {
    const factor = { '+': ZOOM_FACTOR, '=': ZOOM_FACTOR, '-': 1 / ZOOM_FACTOR }[event.key];
    if (factor === undefined || isDisabled || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onView(zoomView(view, factor, player.position(), length));
  };
  const handles = { view, length };

  return (
    <div className="relative" onKeyDown={onKeyDown} {...(!isDisabled && pinch)}>
      <SeekSlider
        {...{ title, length, played, isDisabled, view }}
        position={player.position}
        onSeek={player.seek}
      >
        <canvas ref={canvas} aria-hidden="true" className="block h-12.5 w-full" />
        <div aria-hidden="true" className="mt-0.5 h-1 overflow-hidden rounded-full bg-line">
          <div ref={progress} className="forced-highlight h-full origin-left bg-action" />
        </div>
      </SeekSlider>
      {!isReal && !isMissing && (
        <p className="pointer-events-none absolute inset-x-0 top-3 text-center text-xs text-soft">
          <span className="rounded-sm bg-surface px-2">The waveform of this melody is not available.</span>
        </p>
      )}
      {!isDisabled && loop.kind !== 'none' && (
        <LoopHandle
          point="A"
          at={loop.a}
          highest={loop.kind === 'active' ? loop.b : length}
          {...handles}
          onMove={player.moveA}
        />
      )}
      {!isDisabled && loop.kind === 'active' && (
        <LoopHandle
          point="B"
          at={loop.b}
          lowest={loop.a}
          highest={length}
          {...handles}
          onMove={player.moveB}
        />
      )}
    </div>
  );
}

/**
 * Returns pointer handlers that zoom with two fingers. By the time the second finger touches, the press of the
 * first has moved the position, so the earlier position is restored.
 */
function usePinch({ player, view, onView }: MelodyWaveformProps) {
  const fingers = useRef(new Map<number, number>());
  const pinchStart = useRef<{
    position: number;
    view: WaveformView;
    distance: number;
    middle: number;
  } | null>(null);
  const position = useRef(0);
  const spread = () => {
    const [one = 0, other = 0] = fingers.current.values();
    return { distance: Math.max(24, Math.abs(one - other)), middle: (one + other) / 2 };
  };
  const end = ({ pointerId }: PointerEvent) => {
    fingers.current.delete(pointerId);
    if (fingers.current.size === 0) pinchStart.current = null;
  };
  return {
    onPointerDownCapture(event: PointerEvent) {
      if (event.pointerType !== 'touch') return;
      if (fingers.current.size === 0) position.current = player.position();
      fingers.current.set(event.pointerId, event.clientX);
      if (fingers.current.size < 2) return;
      event.stopPropagation();
      player.seek(position.current);
      pinchStart.current = { position: position.current, view, ...spread() };
    },
    onPointerMoveCapture(event: PointerEvent<HTMLElement>) {
      if (!fingers.current.has(event.pointerId)) return;
      fingers.current.set(event.pointerId, event.clientX);
      const from = pinchStart.current;
      if (!from) return;
      event.stopPropagation();
      if (fingers.current.size < 2) return;
      const { left, width } = event.currentTarget.getBoundingClientRect();
      const at = from.view.from + ((from.middle - left) / width) * (from.view.to - from.view.from);
      onView(zoomView(from.view, spread().distance / from.distance, at, player.snapshot().length));
    },
    onPointerUpCapture: end,
    onPointerCancelCapture: end,
  };
}

function toDrawnPassage(canvas: Element, loop: Loop, length: number): DrawnPassage | null {
  if (loop.kind !== 'active' || length === 0) return null;
  return {
    from: loop.a / length,
    to: loop.b / length,
    ground: getThemeColour(canvas, 'saffron-ground'),
    rest: getThemeColour(canvas, 'saffron-mid'),
  };
}
