import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { featuresOf, type Features } from '../src/platform/alignment/features.ts';
import { CELLS_WHILE_ONE_WAITS, findLines, type FoundLine } from '../src/platform/alignment/find-lines.ts';
import { composeSong, inventSinger, perform, RATE, wholeSong } from '../src/testing/singing.ts';
import { sungTakes } from './sung-takes.ts';

/**
 * Measures how well the lines of a melody are found in takes of it, by kind of take, and what that costs. What is sung is
 * made from the seed in the first argument; the thresholds were chosen on 'tune', 'two', 'three' and 'device', so measure
 * on others. A second argument names one kind. With `--on-device`, as the submit page looks for lines.
 */
const bounds = {
  half: 0.94,
  quarter: 0.9,
  medianSeconds: 0.05,
  wrong: 0.01,
  halfOf: { plain: 1, 'on one tone': 0.93, 'wrong notes': 0.85, 'noise of 5 dB': 0.75 } as Record<
    string,
    number
  >,
  cpuSeconds: 6,
  megabytes: 250,
};
/** Of a take. */
const SECONDS = 120;

class Tally {
  takes = 0;
  lines = 0;
  half = 0;
  quarter = 0;
  claimed = 0;
  wrong = 0;
  cpu = 0;
  seconds = 0;
  errors: number[] = [];

  add(truth: readonly { line: number; start: number }[], found: readonly FoundLine[]) {
    const used = new Set<FoundLine>();
    const sure = found.filter((one) => one.sure >= 0.5);
    for (const { line, start } of truth) {
      const [near] = sure
        .filter((one) => one.line === line && !used.has(one))
        .sort((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start));
      const error = near ? Math.abs(near.start - start) : Infinity;
      if (error > 0.5) continue;
      used.add(near!);
      this.errors.push(error);
      this.half++;
      if (error <= 0.25) this.quarter++;
    }
    this.takes++;
    this.lines += truth.length;
    this.claimed += sure.length;
    this.wrong += sure.length - used.size;
  }

  get median() {
    return this.errors.toSorted((a, b) => a - b)[this.errors.length >> 1] ?? 0;
  }

  get cpuEach() {
    return (this.cpu / this.seconds) * SECONDS;
  }

  row(kind: string) {
    const share = (count: number) =>
      (this.lines ? `${((100 * count) / this.lines).toFixed(1)} %` : '').padStart(8);
    const columns = [
      kind.padEnd(24),
      `${this.takes}`.padStart(5),
      `${this.lines}`.padStart(6),
      share(this.half),
      share(this.quarter),
      this.median.toFixed(3).padStart(8),
      `${this.wrong} of ${this.claimed}`.padStart(12),
      this.cpuEach.toFixed(2).padStart(6),
    ];
    return columns.join(' ');
  }
}

const isOnDevice = process.argv.includes('--on-device');
const [seed = 'report', only] = process.argv.slice(2).filter((given) => !given.startsWith('--'));
const how = isOnDevice ? { cells: CELLS_WHILE_ONE_WAITS } : {};
const byKind = new Map<string, Tally>();
const all = new Tally();
let negatives = 0;
let negativesClaimed = 0;
const features = new Map<object, Features>();

for (const { kind, melody, take, lines } of sungTakes(seed, only)) {
  const ofMelody = features.get(melody) ?? featuresOf(melody.sound, RATE);
  features.set(melody, ofMelody);
  const before = process.cpuUsage();
  const found = findLines(ofMelody, melody.starts, featuresOf(take, RATE), how);
  const { user, system } = process.cpuUsage(before);
  const ofKind = byKind.get(kind) ?? new Tally();
  byKind.set(kind, ofKind);
  for (const tally of [ofKind, all]) {
    tally.add(lines, found);
    tally.cpu += (user + system) / 1e6;
    tally.seconds += take.length / RATE;
  }
  if (lines.length > 0) continue;
  negatives++;
  if (found.some(({ sure }) => sure >= 0.5)) negativesClaimed++;
}

console.log('                         takes  lines   ±0.5 s  ±0.25 s   median     wrong    CPU s per 2 min');
for (const [kind, tally] of byKind) console.log(tally.row(kind));
console.log(all.row('all'));
const megabytes = memoryOfOne();
console.log(
  `negatives claimed: ${negativesClaimed} of ${negatives}; memory for two minutes: ${megabytes.toFixed(0)} MB`,
);

const missed = [
  all.half / all.lines < bounds.half && 'lines within 0.5 s',
  all.quarter / all.lines < bounds.quarter && 'lines within 0.25 s',
  all.median > bounds.medianSeconds && 'median error',
  all.wrong / all.claimed > bounds.wrong && 'wrong lines',
  negativesClaimed > 0 && 'negatives',
  all.cpuEach > bounds.cpuSeconds && 'CPU',
  megabytes > bounds.megabytes && 'memory',
  ...Object.entries(bounds.halfOf).map(([kind, least]) => {
    const tally = byKind.get(kind);
    return tally && tally.half / tally.lines < least && kind;
  }),
].filter(Boolean);
if (missed.length > 0) {
  console.log(`Out of bounds: ${missed.join(', ')}.`);
  process.exitCode = 1;
}

/** Of a search in two minutes, alone in a process, in MB. */
function memoryOfOne(): number {
  const folder = mkdtempSync(join(tmpdir(), 'yangchen-lines-'));
  try {
    const song = composeSong(seed, { lines: 20, verse: 4 });
    const [melody, take] = ['teacher', 'student'].map((singer) => {
      const { sound, lines } = perform(singer, song, inventSinger(singer), wholeSong(song));
      const file = join(folder, singer);
      writeFileSync(file, new Uint8Array(sound.slice(0, SECONDS * RATE).buffer));
      return { file, starts: lines.filter(({ end }) => end < SECONDS) };
    });
    const given = [`${RATE}`, melody!.file, take!.file, JSON.stringify(melody!.starts)];
    return Number(execFileSync(process.execPath, ['bench/lines-once.ts', ...given], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
