import { WAVEFORM_BAR_COUNT } from '#shared/media.ts';
import { encodePeaks } from '../playback/bars.ts';

/**
 * Maximum duration of a file whose waveform is computed. Ten minutes take about 40 MB when decoded, even at
 * DRAWING_RATE. More would use too much of a phone's memory.
 */
const MAX_DRAWN_SECONDS = 10 * 60;

/** Sample rate for decoding, in Hz. It is low to save memory, but high enough for 200 bars. */
const DRAWING_RATE = 8_000;

const METADATA_TIMEOUT_MS = 5_000;

/**
 * Returns the duration in seconds that the browser reads from the file's header; null if the browser can't
 * determine it within METADATA_TIMEOUT_MS.
 */
export function readDuration(file: Blob): Promise<number | null> {
  const address = URL.createObjectURL(file);
  const audio = new Audio();
  return new Promise<number | null>((resolve) => {
    const answer = () => resolve(Number.isFinite(audio.duration) ? audio.duration : null);
    const timer = setTimeout(answer, METADATA_TIMEOUT_MS);
    audio.onloadedmetadata = audio.onerror = () => {
      clearTimeout(timer);
      answer();
    };
    audio.preload = 'metadata';
    audio.src = address;
  }).finally(() => {
    audio.onloadedmetadata = audio.onerror = null;
    audio.removeAttribute('src');
    URL.revokeObjectURL(address);
  });
}

/**
 * Returns the waveform as the server stores it, base64 of 200 bytes; null if the file is too long or can't be decoded.
 */
export async function computeFilePeaks(file: Blob, seconds: number | null): Promise<string | null> {
  if (seconds !== null && seconds > MAX_DRAWN_SECONDS) return null;
  try {
    const decoder = new OfflineAudioContext(1, 1, DRAWING_RATE);
    const sound = await decoder.decodeAudioData(await file.arrayBuffer());
    const channels = Array.from({ length: sound.numberOfChannels }, (_, index) =>
      sound.getChannelData(index),
    );
    return encodePeaks(toPeaks(channels, sound.length));
  } catch {
    return null;
  }
}

function toPeaks(channels: readonly Float32Array[], frames: number): Uint8Array {
  const peaks = new Uint8Array(WAVEFORM_BAR_COUNT);
  for (const channel of channels) {
    for (let frame = 0; frame < frames; frame += 1) {
      const slice = Math.floor((frame * WAVEFORM_BAR_COUNT) / frames);
      const peak = Math.min(255, Math.round(Math.abs(channel[frame] ?? 0) * 255));
      if (peak > (peaks[slice] ?? 0)) peaks[slice] = peak;
    }
  }
  return peaks;
}
