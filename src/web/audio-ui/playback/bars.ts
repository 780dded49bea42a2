import { WAVEFORM_BAR_COUNT } from '#shared/media.ts';

/** Decodes the bars of a waveform, stored as base64 of 200 bytes. Returns null for anything else. */
export function decodePeaks(peaks: string | null): Uint8Array | null {
  if (peaks === null) return null;
  try {
    const bars = Uint8Array.from(atob(peaks), (letter) => letter.charCodeAt(0));
    return bars.length === WAVEFORM_BAR_COUNT ? bars : null;
  } catch {
    return null;
  }
}

const NEAR_SILENCE = 16;

/**
 * Scales the bars so that a soft voice is visible: the loudest bar fills the height, unless all bars are nearly
 * silent.
 */
export function amplifyBars(bars: Uint8Array): Uint8Array {
  const loudest = Math.max(NEAR_SILENCE, ...bars);
  return bars.map((bar) => (bar / loudest) * 255);
}

export const encodePeaks = (bars: Uint8Array) => btoa(String.fromCharCode(...bars));

/** Returns bars that look random, but are always the same for the same id. */
export function createPlaceholderBars(id: string | number): Uint8Array {
  let state = [...String(id)].reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619),
    2_166_136_261,
  );
  const next = () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const breath = 9 + next() * 8;
  return Uint8Array.from({ length: WAVEFORM_BAR_COUNT }, (_, index) =>
    Math.round(50 + 130 * Math.abs(Math.sin(index / breath)) * (0.55 + 0.45 * next())),
  );
}
