import { BAND_COUNT, type SoundFeatures, FRAMES_PER_SECOND } from './features.ts';

/** Quantization step of the levels, which start at `MIN_DB`. */
const STEP_DB = 0.5;
const MIN_DB = -90;
/** Format version, in the first byte. Features in another version are computed again. */
const VERSION = 2;
const UNVOICED = -32_768;

/** Packs features into about a kilobyte per second. */
export function packFeatures({ frames, pitch, bands }: SoundFeatures): Uint8Array {
  const bytes = new Uint8Array(1 + frames * (2 + BAND_COUNT));
  const view = new DataView(bytes.buffer);
  bytes[0] = VERSION;
  for (let at = 0; at < frames; at++) {
    const cents = pitch[at]!;
    view.setInt16(1 + 2 * at, Number.isNaN(cents) ? UNVOICED : Math.round(cents), true);
  }
  const levels = 1 + 2 * frames;
  for (let index = 0; index < frames * BAND_COUNT; index++) {
    bytes[levels + index] = Math.min(255, Math.max(0, Math.round((bands[index]! - MIN_DB) / STEP_DB)));
  }
  return bytes;
}

/** Returns whether the features are packed in the current version. */
export const isCurrentFeaturesVersion = (bytes: Uint8Array) => bytes[0] === VERSION;

/** Returns whether an untrusted value can be the packed features of audio of this length. */
export const isPackedFeatures = (seconds: number, value: unknown): value is Uint8Array =>
  value instanceof Uint8Array &&
  isCurrentFeaturesVersion(value) &&
  value.length <= 1 + (seconds + 1) * FRAMES_PER_SECOND * (2 + BAND_COUNT);

/** @returns null if the features are packed in another version or are incomplete */
export function unpackFeatures(bytes: Uint8Array): SoundFeatures | null {
  const frames = (bytes.length - 1) / (2 + BAND_COUNT);
  if (!isCurrentFeaturesVersion(bytes) || !Number.isInteger(frames)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pitch = Float32Array.from({ length: frames }, (_, at) => {
    const cents = view.getInt16(1 + 2 * at, true);
    return cents === UNVOICED ? NaN : cents;
  });
  const levels = 1 + 2 * frames;
  const bands = Float32Array.from(
    { length: frames * BAND_COUNT },
    (_, index) => bytes[levels + index]! * STEP_DB + MIN_DB,
  );
  return { frames, pitch, bands };
}
