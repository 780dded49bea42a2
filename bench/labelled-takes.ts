import { createRandomGenerator, type RandomGenerator } from '#testing/random.ts';
import type { LineStart } from '#features/line-matching/alignment/melody-model.ts';
import {
  renderBabble,
  composeSong,
  generateDrone,
  addReverberation,
  inventSinger,
  mixSounds,
  generateNoise,
  renderPerformance,
  SINGING_SAMPLE_RATE,
  getAllParts,
  type SingingStyle,
  type SungPart,
  type SungPerformance,
  type Song,
  type SongStructure,
} from '#testing/singing.ts';

/**
 * A take, the melody as its teacher sings it, and the true starts of the lines in the take. There are no
 * lines if the take is not of this melody.
 */
export type LabelledTake = {
  kind: string;
  melody: { sound: Float32Array; starts: LineStart[] };
  take: Float32Array;
  lines: LineStart[];
};

const songs: (SongStructure & { lines: number })[] = [
  { lines: 8 },
  { lines: 12, verse: 4 },
  { lines: 10, refrain: 5 },
  { lines: 10, chant: true },
  { lines: 16, verse: 4, refrain: 8 },
  { lines: 6 },
];

type Kind = {
  kind: string;
  manner?: (random: RandomGenerator) => SingingStyle;
  parts?: (song: Song, random: RandomGenerator) => SungPart[];
  after?: (sound: Float32Array, random: RandomGenerator, name: string) => Float32Array;
  melody?: MelodyKind;
  /** Whether to skip chants: a hummed take can be aligned only if the melody has a tune. */
  needsTune?: boolean;
};
type MelodyKind = { drone?: boolean; tappedLate?: boolean };

const uneven = () => ({ rubato: 0.35 });
const inNoise = (decibels: number) => (sound: Float32Array, random: RandomGenerator, name: string) =>
  mixSounds(sound, generateNoise(name, 10, random.pick(['white', 'pink', 'room'])), decibels);

const kinds: Kind[] = [
  { kind: 'plain' },
  {
    kind: 'tapped late',
    melody: { tappedLate: true },
    manner: (random) => ({ tempo: random.between(0.85, 1.2), rubato: 0.3 }),
  },
  { kind: 'tempo', manner: (random) => ({ tempo: random.pick([0.65, 0.75, 1.3, 1.5]), rubato: 0.4 }) },
  { kind: 'rubato', manner: () => ({ rubato: 1 }) },
  {
    kind: 'pauses',
    manner: uneven,
    parts: (song, random) =>
      getAllParts(song).map((part) => ({ ...part, pauseBefore: random.pick([0, 0, 1.5, 4]) })),
  },
  {
    kind: 'lines left out',
    manner: uneven,
    parts: (song, random) => getAllParts(song).filter((_, at) => at !== 2 && random.next() > 0.25),
  },
  {
    kind: 'lines twice',
    manner: uneven,
    parts: (song, random) =>
      getAllParts(song).flatMap((part) => (random.next() < 0.35 ? [part, part] : [part])),
  },
  {
    kind: 'a part',
    manner: uneven,
    parts: (song, random) => {
      const from = Math.floor(random.between(1, song.lines.length - 3));
      return getAllParts(song).slice(from, from + Math.round(random.between(2, 4)));
    },
  },
  {
    kind: 'begun inside',
    manner: uneven,
    parts: (song, random) => {
      const from = Math.floor(random.between(1, song.lines.length - 3));
      const fromNote = Math.floor(song.lines[from]!.length / 2);
      return getAllParts(song)
        .slice(from)
        .map((part, at) => (at === 0 ? { ...part, fromNote } : part));
    },
  },
  { kind: 'on one tone', manner: () => ({ monotone: true, rubato: 0.4 }) },
  { kind: 'wrong notes', manner: () => ({ wrongNotes: 0.35, rubato: 0.4 }) },
  { kind: 'hummed', manner: () => ({ hummed: true, rubato: 0.3 }), needsTune: true },
  { kind: 'key drifts', manner: (random) => ({ drift: random.pick([-120, 120]), rubato: 0.4 }) },
  { kind: 'noise of 5 dB', manner: uneven, after: inNoise(5) },
  { kind: 'noise of 12 dB', manner: uneven, after: inNoise(12) },
  {
    kind: 'reverb',
    manner: uneven,
    after: (sound, random) => addReverberation(sound, random.between(0.6, 2)),
  },
  { kind: 'drone', manner: uneven, melody: { drone: true } },
  {
    kind: 'talk beside',
    manner: uneven,
    after: (sound, _, name) => mixSounds(sound, renderBabble(name, inventSinger(`${name} beside`), 20), 14),
  },
  {
    kind: 'several at once',
    melody: { tappedLate: true },
    manner: (random) => ({
      tempo: random.between(0.8, 1.3),
      rubato: 0.8,
      wrongNotes: 0.15,
      drift: random.between(-60, 60),
    }),
    parts: (song, random) =>
      getAllParts(song)
        .filter(() => random.next() > 0.1)
        .flatMap((part) => {
          const paused = { ...part, pauseBefore: random.pick([0, 0, 2]) };
          return random.next() < 0.1 ? [part, part] : [paused];
        }),
    after: (sound, random, name) =>
      mixSounds(addReverberation(sound, random.between(0.4, 1)), generateNoise(name, 10, 'room'), 12),
  },
];

/**
 * Yields takes. The same seed always yields the same takes.
 * @param only kind of takes to yield; by default all kinds
 */
export function* generateLabelledTakes(seed: string, only?: string): Generator<LabelledTake> {
  const melodies = new Map<string, LabelledTake['melody'] & { song: Song }>();
  const melodyOf = (index: number, kind: MelodyKind = {}) => {
    const key = `${seed} ${index} ${JSON.stringify(kind)}`;
    let melody = melodies.get(key);
    if (!melody) melodies.set(key, (melody = renderTeacherMelody(seed, index, kind, key)));
    return melody;
  };
  for (const { kind, manner, parts, after, melody: melodyKind, needsTune } of kinds) {
    if (only && kind !== only) continue;
    for (const [index, { chant }] of songs.entries()) {
      if (needsTune && chant) continue;
      const name = `${seed} ${kind} ${index}`;
      const random = createRandomGenerator(name);
      const melody = melodyOf(index, melodyKind);
      const how = { rubato: 0.15, ...manner?.(random) };
      const sung = parts?.(melody.song, random) ?? getAllParts(melody.song);
      const take = renderPerformance(name, melody.song, inventSinger(name), sung, how);
      const sound = after?.(take.sound, random, name) ?? take.sound;
      yield { kind, melody, take: sound, lines: toTimingLines(take) };
    }
  }
  for (const [index] of songs.entries()) {
    const melody = melodyOf(index);
    for (const [kind, sound] of createOtherSounds(seed, index)) {
      if (!only || kind === only) yield { kind, melody, take: sound(), lines: [] };
    }
  }
}

const createTeacher = (seed: string, index: number) => inventSinger(`${seed} teacher ${index}`);

function renderTeacherMelody(
  seed: string,
  index: number,
  { drone: hasDrone, tappedLate }: MelodyKind,
  key: string,
) {
  const name = `${seed} song ${index}`;
  const random = createRandomGenerator(key);
  const song = composeSong(name, songs[index]!);
  const teacher = createTeacher(seed, index);
  const sung = renderPerformance(name, song, teacher, getAllParts(song), {
    rubato: 0.2,
    silenceBefore: random.between(0.2, 3),
  });
  const starts = toTimingLines(sung).map(({ line, start }) => ({
    line,
    start: start + (tappedLate ? random.between(-0.05, 0.35) : 0),
  }));
  const sound = hasDrone
    ? mixSounds(sung.sound, generateDrone(teacher.tonic, 11), 10)
    : addReverberation(sung.sound, 0.3);
  return { sound, starts, song };
}

/** Numbers lines as timings do: the blank line after each group of four lines counts too. */
const toTimingLines = ({ lines }: SungPerformance) =>
  lines.map(({ line, start }) => ({ line: line + Math.floor(line / 4), start }));

const SECONDS = 50;

function createOtherSounds(seed: string, index: number): [string, () => Float32Array][] {
  const name = `${seed} something else ${index}`;
  const singer = inventSinger(name);
  const teacher = createTeacher(seed, index);
  const other = composeSong(`${name} other`, songs[(index + 1) % songs.length]!);
  const alike = composeSong(`${name} alike`, songs[index]!);
  const colour = (['white', 'pink', 'room'] as const)[index % 3]!;
  return [
    ['other melody', () => renderPerformance(name, other, singer, getAllParts(other), uneven()).sound],
    [
      'other, of the teacher',
      () => renderPerformance(name, alike, teacher, getAllParts(alike), uneven()).sound,
    ],
    [
      'other, hummed',
      () => renderPerformance(name, other, singer, getAllParts(other), { hummed: true }).sound,
    ],
    ['other, one line', () => renderPerformance(name, alike, singer, getAllParts(alike).slice(0, 1)).sound],
    ['speech', () => renderBabble(name, singer, SECONDS)],
    ['speech of the teacher', () => renderBabble(name, teacher, SECONDS)],
    ['silence', () => new Float32Array(SECONDS * SINGING_SAMPLE_RATE)],
    ['noise', () => generateNoise(name, SECONDS, colour)],
    ['drone alone', () => generateDrone(singer.tonic, SECONDS)],
  ];
}
