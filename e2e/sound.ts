/** Reads a 16-bit mono WAV. */
export function readWav(bytes: Buffer) {
  const text = (at: number) => bytes.toString('latin1', at, at + 4);
  const rate = bytes.readUInt32LE(24);
  const format = { channels: bytes.readUInt16LE(22), bits: bytes.readUInt16LE(34), rate };
  if (text(0) !== 'RIFF' || text(8) !== 'WAVE' || text(36) !== 'data') throw new Error('not a plain WAV');
  const length = bytes.readUInt32LE(40) / 2;
  const samples = Float64Array.from({ length }, (_, i) => bytes.readInt16LE(44 + i * 2) / 32_768);
  return { ...format, samples, seconds: length / rate };
}

/** Returns the pitch of a sine in Hz, from its rising zero crossings, interpolated between samples. */
export function measurePitch(samples: Float64Array, rate: number): number {
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i += 1) {
    const [before, after] = [samples[i - 1] ?? 0, samples[i] ?? 0];
    if (before < 0 && after >= 0) crossings.push(i - 1 + before / (before - after));
  }
  const [first, last] = [crossings[0] ?? 0, crossings.at(-1) ?? 0];
  return (rate * (crossings.length - 1)) / (last - first);
}

export const getCentsBetween = (a: number, b: number) => 1200 * Math.log2(a / b);

/** Returns the pitch of each successive window of 50 ms, in Hz. */
export function measurePitchTrack(samples: Float64Array, rate: number): number[] {
  const window = Math.round(rate * 0.05);
  const count = Math.floor(samples.length / window);
  return Array.from({ length: count }, (_, i) =>
    measurePitch(samples.subarray(i * window, (i + 1) * window), rate),
  );
}

export const PITCH_WINDOWS_PER_SECOND = 20;

export function getMedian(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
