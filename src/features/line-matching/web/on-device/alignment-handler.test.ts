import { expect, test, vi } from 'vitest';
import { extractFeatures } from '#features/line-matching/alignment/features.ts';
import {
  composeSong,
  inventSinger,
  renderPerformance,
  SINGING_SAMPLE_RATE,
  getAllParts,
} from '#testing/singing.ts';
import { createAlignmentHandler } from './alignment-handler.ts';

test('extracts the same features from stereo audio in chunks as from one mono array', () => {
  const work = createAlignmentHandler(() => undefined);
  const song = composeSong('short', { lines: 1 });
  const { sound } = renderPerformance('take', song, inventSinger('student'), getAllParts(song));
  for (let at = 0; at < sound.length; at += 20_000) {
    const piece = sound.slice(at, at + 20_000);
    // One channel is louder and the other quieter by the same amount, so their mean stays the same.
    const channels = [piece.map((one) => 1.5 * one), piece.map((one) => 0.5 * one)];
    expect(work({ type: 'hear', rate: SINGING_SAMPLE_RATE, channels })).toEqual({ type: 'heard' });
  }
  const whole = extractFeatures(sound, SINGING_SAMPLE_RATE);
  const heard = work({ type: 'end' });
  const features = heard.type === 'features' ? heard.features : null;
  expect(features?.frames).toBe(whole.frames);
  const differing = whole.pitch.filter((cents, at) => Math.abs(cents - features!.pitch[at]!) > 5);
  expect(differing.length).toBeLessThan(whole.frames / 50);
  // The next file does not contain frames of this one.
  expect(work({ type: 'end' })).toMatchObject({ features: { frames: 0 } });
});

test('finds the lines of a take and reports increasing progress', () => {
  const onProgress = vi.fn();
  const work = createAlignmentHandler(onProgress);
  const song = composeSong('praise', { lines: 3 });
  const [teacher, student] = ['teacher', 'student'].map((singer) =>
    renderPerformance(singer, song, inventSinger(singer), getAllParts(song)),
  );
  const answer = work({
    type: 'find',
    melody: extractFeatures(teacher!.sound, SINGING_SAMPLE_RATE),
    starts: teacher!.lines.map(({ line, start }) => ({ line, start })),
    take: extractFeatures(student!.sound, SINGING_SAMPLE_RATE),
  });
  const lines = answer.type === 'lines' ? answer.lines : [];
  expect(lines.map(({ line }) => line)).toEqual([0, 1, 2]);
  const told = onProgress.mock.calls.map(([{ fraction }]) => fraction as number);
  expect(told.length).toBeGreaterThan(1);
  expect(told).toEqual([...told].sort());
  expect(told.at(-1)).toBeLessThan(1);
});
