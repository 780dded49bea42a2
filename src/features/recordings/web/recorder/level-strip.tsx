import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { WAVEFORM_BARS } from '#shared/media.ts';
import { MAX_SECONDS } from '#web/audio/recording-format.ts';
import { drawBars, redrawWhenNeeded, tokenColour } from '#web/audio-ui/playback/draw-bars.ts';
import type { StageLook } from './recording-look.ts';
import type { UsedRecorder } from './use-recorder.ts';

/** The two minutes from left to right; the level rises in it as sound is recorded. */
export function LevelStrip({ recorder, look }: { recorder: UsedRecorder; look: StageLook }) {
  const { state, seconds, level, taking } = recorder;
  const canvas = useRef<HTMLCanvasElement>(null);
  const heard = useRef(new Uint8Array(WAVEFORM_BARS));
  const played = useRef(0);

  useEffect(() => {
    if (state === 'idle' || state === 'asking' || state === 'counting') heard.current.fill(0);
    played.current = seconds / MAX_SECONDS;
    const at = Math.min(WAVEFORM_BARS - 1, Math.floor(played.current * WAVEFORM_BARS));
    if (taking) heard.current[at] = Math.max(heard.current[at] ?? 0, Math.round(level * 255));
    if (canvas.current) draw(canvas.current, heard.current, played.current);
  }, [state, seconds, level, taking]);

  useEffect(() => {
    const drawn = canvas.current;
    return drawn ? redrawWhenNeeded(drawn, () => draw(drawn, heard.current, played.current)) : undefined;
  }, []);

  return <canvas ref={canvas} aria-hidden="true" className={clsx('block w-full', height[look])} />;
}

const height: Record<StageLook, string> = {
  large: 'h-14',
  small: 'h-8',
  bar: 'h-8 lg:h-12',
  low: 'h-8 lg:h-14',
};

const draw = (canvas: HTMLCanvasElement, heard: Uint8Array, played: number) =>
  drawBars(canvas, heard, played, {
    played: tokenColour(canvas, 'action'),
    rest: tokenColour(canvas, 'edge'),
    restOpacity: 0.5,
  });
