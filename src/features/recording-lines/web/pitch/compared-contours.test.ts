import { expect, test } from 'vitest';
import { featuresOf } from '../../../../platform/alignment/features.ts';
import { composeSong, inventSinger, perform, RATE, type Manner } from '../../../../testing/singing.ts';
import { comparedContours } from './compared-contours.ts';
import { lineFrames } from './line-frames.ts';
import { syllableStarts } from './syllable-starts.ts';
import { warpLine } from './warp-line.ts';

const names = Array.from({ length: 12 }, (_, n) => `song ${n}`);
const songs = names.map((name) => composeSong(name, { lines: 1 }));
const sung = (name: string, at: number, singer: string, manner: Manner = {}) => {
  const { sound, lines } = perform(name, songs[at]!, inventSinger(singer), [{ line: 0 }], manner);
  return { features: featuresOf(sound, RATE), ...lines[0]! };
};

test('diagnose', () => {
  let near = 0, all = 0, even = 0;
  let e1 = 0, e2 = 0, n = 0;
  for (const at of songs.keys()) {
    const m = sung('m', at, `teacher ${at}`);
    const notes = songs[at]!.lines[0]!;
    const begins = notes.map((_, k) => notes.slice(0, k).reduce((s, { beats }) => s + beats * songs[at]!.secondsPerBeat, 0));
    const hers = lineFrames(m.features)!;
    const first = m.features.pitch.findIndex((c) => !Number.isNaN(c));
    const starts = syllableStarts(hers, notes.length)!;
    begins.forEach((b, k) => {
      if (k === 0) return;
      all++;
      const t = (starts[k]! + first) / 25 - m.start;
      if (Math.abs(t - b) < 0.15) near++;
      if (Math.abs((k / notes.length) * (m.end - m.start) - b) < 0.15) even++;
    });
    const t = sung('t', at, `student ${at}`, { rubato: 1, tempo: 0.8 });
    const mine = lineFrames(t.features)!;
    const w = warpLine(hers, mine);
    const apart = (f: (at: number) => number) => {
      const d = Array.from(hers.cents, (c, k) => mine.cents[Math.round(f(k))]! - c).filter((x) => !Number.isNaN(x)).sort((a, b) => a - b);
      const med = d[d.length >> 1]!;
      return d.reduce((s, x) => s + Math.min(200, Math.abs(x - med)), 0) / d.length;
    };
    e1 += apart((k) => w[k]!); e2 += apart((k) => (k / (hers.frames - 1)) * (mine.frames - 1)); n++;
  }
  console.log('syllables', near / all, 'even', even / all, 'warp', e1 / n, 'linear', e2 / n);
  expect(comparedContours).toBeDefined();
});
