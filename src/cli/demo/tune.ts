import { randomOf, type Random } from '#shared/random.ts';

/** A MIDI pitch, and its relative length. */
export type Note = { pitch: number; beats: number };

export type Tune = { tonic: number; phrases: Note[][]; secondsPerPhrase: number };

const A2 = 45;
const E4 = 64;
const SCALES: [number[], ...number[][]] = [
  [0, 2, 4, 7, 9],
  [0, 3, 5, 7, 10],
  [0, 2, 5, 7, 9],
];

/** A short silence before the voice begins. */
export const BEFORE_SECONDS = 0.35;

/** About this long is sung on one breath. */
const BREATH_SECONDS = 5.5;

/**
 * A pentatonic melody for each title: two or three phrases that recur with slight changes.
 * @param seconds of the whole melody
 * @param lines of its words; each is sung on the same number of breaths
 */
export function composeTune(title: string, seconds: number, lines = 1): Tune {
  const random = randomOf(title);
  const scale = random.pick(SCALES);
  const tonic = 49 + Math.floor(random.next() * 5);
  const ladder = Array.from({ length: E4 - A2 + 1 }, (_, step) => A2 + step).filter((pitch) =>
    scale.includes((pitch - tonic + 24) % 12),
  );
  const home = ladder.indexOf(tonic);
  const motifs = [home + 3, home + 1, home].map((end) => composePhrase(random, ladder, home, end));
  const [call = [], answer = [], close = []] = motifs;
  const order = [call, answer, call, close, answer, close];

  const breaths = Math.max(1, Math.round(seconds / BREATH_SECONDS / lines));
  const count = Math.max(2, breaths * lines);
  const phrases = Array.from({ length: count }, (_, at) =>
    at === count - 1 ? close : vary(random, order[at % order.length] ?? call, ladder),
  );
  return { tonic, phrases, secondsPerPhrase: seconds / count };
}

function composePhrase(random: Random, ladder: number[], home: number, end: number): Note[] {
  const count = 5 + Math.floor(random.next() * 4);
  let step = home + Math.floor(random.next() * 3);
  const notes: Note[] = [];
  for (let at = 0; at < count; at += 1) {
    notes.push({ pitch: rung(ladder, step), beats: random.pick([1, 1, 1, 0.5, 1.5, 2]) });
    step += random.pick([-2, -1, -1, 1, 1, 2]);
    // Towards the end the melody returns to its final note.
    if (at > count - 4) step += Math.sign(end - step);
    step = Math.min(Math.max(step, 0), ladder.length - 1);
  }
  return [...notes, { pitch: rung(ladder, end), beats: 3 }];
}

const vary = (random: Random, phrase: Note[], ladder: number[]): Note[] =>
  phrase.map((note, at) => {
    if (at === 0 || at === phrase.length - 1 || random.next() > 0.2) return note;
    return { ...note, pitch: rung(ladder, ladder.indexOf(note.pitch) + random.pick([-1, 1])) };
  });

const rung = (ladder: number[], step: number) => ladder[Math.min(Math.max(step, 0), ladder.length - 1)] ?? A2;

/** When each line of the words begins at a steady tempo, in seconds. */
export function lineStarts({ phrases, secondsPerPhrase }: Tune, lines: number): number[] {
  const phrasesPerLine = phrases.length / lines;
  return Array.from(
    { length: lines },
    (_, line) => BEFORE_SECONDS + line * phrasesPerLine * secondsPerPhrase,
  );
}
