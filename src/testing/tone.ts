/** Returns a WAV file of a sine: 16 bit, mono. */
export function createTone(seconds: number, hertz = 220, rate = 8_000): Buffer {
  return createWav(seconds, rate, (second) => 16_000 * Math.sin(2 * Math.PI * hertz * second));
}

/**
 * Returns a WAV file: 16 bit, mono.
 * @param sampleAt returns the sample, −32,768 to 32,767, at a time in seconds
 */
export function createWav(seconds: number, rate: number, sampleAt: (second: number) => number): Buffer {
  const frames = Math.round(seconds * rate);
  const wav = Buffer.alloc(44 + frames * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + frames * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(frames * 2, 40);
  for (let i = 0; i < frames; i += 1) wav.writeInt16LE(Math.round(sampleAt(i / rate)), 44 + i * 2);
  return wav;
}
