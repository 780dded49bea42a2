import { describe, expect, test } from 'vitest';
import { createResampler } from './resample.ts';

const OUT = 32_000;

describe('sung tone', () => {
  for (const rate of [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_056, 44_100, 48_000, 88_200, 96_000, 192_000,
  ]) {
    test(`a 440 Hz tone sampled at ${rate} Hz keeps its pitch and stays clean`, () => {
      const result = resample(tone(440, rate, 2), rate).subarray(3_200, 3_200 + 57_600);
      const fit = fitTone(result, 440);
      expect(Math.abs(cents(fit.frequency, 440))).toBeLessThan(0.5);
      expect(fit.signalToNoise).toBeGreaterThan(80);
      expect(fit.amplitude).toBeCloseTo(0.5, 3);
    });
  }
});

describe('aliases and images', () => {
  for (const [rate, frequency] of [
    [44_100, 16_100],
    [44_100, 20_000],
    [44_056, 18_000],
    [48_000, 16_001],
    [48_000, 17_000],
    [48_000, 23_000],
    [96_000, 31_560],
    [192_000, 90_000],
  ] as const) {
    test(`reduces aliases of ${frequency} Hz sampled at ${rate} Hz by at least 90 dB`, () => {
      const result = resample(tone(frequency, rate, 1), rate).subarray(3_200, 28_800);
      expect(decibels(rootMeanSquare(result) / (0.5 / Math.SQRT2))).toBeLessThan(-90);
    });
  }

  for (const [rate, frequency] of [
    [8_000, 3_000],
    [16_000, 6_500],
    [11_025, 4_000],
  ] as const) {
    test(`reduces images of ${frequency} Hz sampled at ${rate} Hz by at least 90 dB`, () => {
      const result = resample(tone(frequency, rate, 1), rate).subarray(3_200, 28_800);
      expect(fitTone(result, frequency).signalToNoise).toBeGreaterThan(90);
    });
  }
});

test('frequencies up to 13 kHz keep their loudness', () => {
  for (const frequency of [100, 1_000, 6_000, 13_000]) {
    const result = resample(tone(frequency, 48_000, 1), 48_000).subarray(3_200, 28_800);
    expect(decibels(fitTone(result, frequency).amplitude / 0.5)).toBeCloseTo(0, 1);
  }
});

test('the output does not depend on the size of the input blocks', () => {
  for (const rate of [16_000, 44_056, 44_100, 48_000]) {
    const input = tone(523.25, rate, 1);
    expect(resample(input, rate, 128)).toEqual(resample(input, rate, 1_000));
    expect(resample(input, rate, 128)).toEqual(resample(input, rate, input.length));
  }
});

test('the output lasts as long as the input, to within one frame', () => {
  for (const rate of [8_000, 16_000, 44_056, 44_100, 48_000, 96_000, 192_000]) {
    for (const frames of [0, 1, 127, 12_345, rate]) {
      const expected = (frames * OUT) / rate;
      expect(Math.abs(resample(new Float32Array(frames), rate).length - expected)).toBeLessThanOrEqual(1);
    }
  }
});

test('a click appears in the output without delay', () => {
  const click = new Float32Array(48_000);
  click[24_000] = 1;
  const result = resample(click, 48_000);
  expect(result.indexOf(Math.max(...result.subarray(0, 32_000)))).toBe(16_000);
});

test('rejects a sample rate that is not a positive whole number', () => {
  for (const rate of [0, Number.NaN, 44_100.5, -48_000]) {
    expect(() => createResampler(rate)).toThrow(RangeError);
  }
});

function resample(input: Float32Array, rate: number, blockFrames = 128): Float32Array {
  const resampler = createResampler(rate);
  const result: number[] = [];
  const output = new Float32Array(resampler.getMaxOutputFrames(blockFrames));
  for (let at = 0; at < input.length; at += blockFrames) {
    const count = resampler.push(input.subarray(at, at + blockFrames), output);
    for (const value of output.subarray(0, count)) result.push(value);
  }
  const rest = new Float32Array(resampler.getMaxOutputFrames(0));
  for (const value of rest.subarray(0, resampler.flush(rest))) result.push(value);
  return Float32Array.from(result);
}

function tone(frequency: number, rate: number, seconds: number): Float32Array {
  return Float32Array.from(
    { length: rate * seconds },
    (_, frame) => 0.5 * Math.sin((2 * Math.PI * frequency * frame) / rate + 0.3),
  );
}

/** Returns the tone nearest to `about` Hz in a signal, and how far everything else lies below it, in dB. */
function fitTone(signal: Float32Array, about: number) {
  let frequency = about;
  // Corrects the frequency by the phase drift between the two halves. After three rounds, no error is left.
  for (let round = 0; round < 3; round += 1) {
    const half = Math.floor(signal.length / 2);
    const first = project(signal.subarray(0, half), frequency, 0);
    const second = project(signal.subarray(half, 2 * half), frequency, half);
    const drift = Math.atan2(
      second.sine * first.cosine - second.cosine * first.sine,
      second.cosine * first.cosine + second.sine * first.sine,
    );
    frequency -= (drift / (2 * Math.PI)) * (OUT / half);
  }
  const { cosine, sine } = project(signal, frequency, 0);
  const rest = signal.map((value, frame) => {
    const angle = (2 * Math.PI * frequency * frame) / OUT;
    return value - cosine * Math.cos(angle) - sine * Math.sin(angle);
  });
  const amplitude = Math.hypot(cosine, sine);
  return {
    frequency,
    amplitude,
    signalToNoise: decibels(amplitude / Math.SQRT2 / rootMeanSquare(rest)),
  };
}

/**
 * Fits a cosine and a sine by least squares. With a plain correlation, a period cut off at the end would count
 * as noise.
 */
function project(signal: Float32Array, frequency: number, from: number) {
  let cc = 0;
  let ss = 0;
  let cs = 0;
  let sc = 0;
  let xs = 0;
  signal.forEach((value, frame) => {
    const angle = (2 * Math.PI * frequency * (frame + from)) / OUT;
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    cc += cosine * cosine;
    ss += sine * sine;
    cs += cosine * sine;
    sc += value * cosine;
    xs += value * sine;
  });
  const determinant = cc * ss - cs * cs;
  return { cosine: (sc * ss - xs * cs) / determinant, sine: (xs * cc - sc * cs) / determinant };
}

function rootMeanSquare(signal: Float32Array): number {
  return Math.sqrt(signal.reduce((sum, value) => sum + value * value, 0) / signal.length);
}

function decibels(ratio: number): number {
  return 20 * Math.log10(ratio);
}

function cents(frequency: number, reference: number): number {
  return 1_200 * Math.log2(frequency / reference);
}
