import { randomOf, type Random } from '#shared/random.ts';
import { BEFORE_SECONDS, composeTune, type Note, type Tune } from './tune.ts';

export const RATE = 16_000;

/** Peak amplitude, of 1: nothing clips, and all melodies are about equally loud. */
export const LOUDEST = 0.72;

export type Voice = {
  /** Seed that makes this take differ from others of the same melody. */
  name: string;
  /** Semitones above the teacher's key. */
  transpose?: number;
  /** 0 is steady; at 1, pitch strays by a quarter of a semitone and the tempo varies. */
  wobble?: number;
  /** A low drone under the voice. */
  drone?: boolean;
};

export type Melody = { title: string; seconds: number; lines?: number };

/**
 * Synthesizes the melody of a title; deterministic in its arguments.
 * @param phrases how many to sing, if not all
 * @returns a WAV: 16 bit, mono
 */
export function sing({ title, seconds, lines }: Melody, voice: Voice, phrases = Infinity): Buffer {
  const tune = composeTune(title, seconds, lines);
  const random = randomOf(`${title} / ${voice.name}`);
  const breaths = breathe({ ...tune, phrases: tune.phrases.slice(0, phrases) }, voice, random);
  const sound = new Float32Array(Math.ceil((breaths.at(-1)?.end ?? 0) * RATE));
  const wavetable = wavetables(random);
  for (const breath of breaths) addPhrase(sound, breath, voice, random, wavetable);
  if (voice.drone) addDrone(sound, tune.tonic + (voice.transpose ?? 0), wavetable);
  addRoom(sound);
  return wavOf(sound);
}

type Breath = { start: number; sungUntil: number; end: number; notes: Note[] };

/** When each phrase is sung, and where breath is drawn. */
function breathe(tune: Tune, { wobble = 0 }: Voice, random: Random): Breath[] {
  let start = BEFORE_SECONDS;
  return tune.phrases.map((notes) => {
    const span = tune.secondsPerPhrase * (1 + wobble * random.between(-0.06, 0.1));
    const rest = Math.min(0.9, span * 0.14);
    const breath = { start, sungUntil: start + span - rest, end: start + span, notes };
    start += span;
    return breath;
  });
}

type Wavetable = (pitch: number, vowel: Vowel) => Float32Array;

/** Pitch and loudness change slowly enough for steps of 2 ms. */
const BLOCK = 32;

const GLIDE_SECONDS = 0.045;
const CROSSFADE_SECONDS = 0.07;

function addPhrase(
  sound: Float32Array,
  breath: Breath,
  voice: Voice,
  random: Random,
  wavetable: Wavetable,
): void {
  const { transpose = 0, wobble = 0 } = voice;
  addBreathing(sound, breath.start, random);
  const beats = breath.notes.reduce((sum, note) => sum + note.beats, 0);
  const secondsPerBeat = (breath.sungUntil - breath.start) / beats;
  const stray = {
    rate: random.between(0.25, 0.6),
    phase: random.between(0, 6),
    drift: random.between(-1, 1),
  };
  const vibrato = { rate: random.between(4.8, 5.6), depth: random.between(0.004, 0.008) };

  let noteStart = breath.start;
  let hertz = 0;
  let phase = 0;
  let loud = 0;
  let before: Float32Array | null = null;
  for (const note of breath.notes) {
    const noteEnd = noteStart + note.beats * secondsPerBeat;
    const pitch = note.pitch + transpose;
    const aim = hertzOf(pitch + wobble * random.between(-0.2, 0.2));
    const table = wavetable(pitch, random.pick(VOWELS));
    hertz ||= aim * 0.97;
    const last = Math.min(sound.length, Math.round(noteEnd * RATE));
    for (let from = Math.round(noteStart * RATE); from < last; from += BLOCK) {
      const time = from / RATE;
      const sinceNote = time - noteStart;
      hertz += (aim - hertz) * Math.min(1, BLOCK / RATE / GLIDE_SECONDS);
      const settled = Math.min(1, Math.max(0, sinceNote - 0.25) / 0.4);
      // Fractions of the pitch: 0.015 is a quarter of a semitone.
      const astray =
        wobble *
        0.015 *
        (Math.sin(2 * Math.PI * stray.rate * time + stray.phase) + 0.5 * stray.drift * sinceNote);
      const shake = settled * vibrato.depth * Math.sin(2 * Math.PI * vibrato.rate * time);
      const step = (hertz * (1 + shake + astray)) / RATE;
      const blend = before ? Math.min(1, sinceNote / CROSSFADE_SECONDS) : 1;
      const aimed = loudness(time, sinceNote, breath);
      const rise = (aimed - loud) / BLOCK;
      for (let at = from; at < Math.min(from + BLOCK, last); at += 1) {
        phase += step;
        if (phase >= 1) phase -= 1;
        loud += rise;
        const here = lookUp(table, phase);
        const sample = before && blend < 1 ? here * blend + lookUp(before, phase) * (1 - blend) : here;
        sound[at]! += sample * loud;
      }
    }
    before = table;
    noteStart = noteEnd;
  }
}

/** Swells over the phrase, dips at each syllable. */
function loudness(time: number, sinceNote: number, { start, sungUntil }: Breath): number {
  const attack = smooth((time - start) / 0.14);
  const release = smooth((sungUntil - time) / 0.32);
  const swell = 0.75 + 0.25 * Math.sin((Math.PI * (time - start)) / (sungUntil - start));
  const syllable = 0.6 + 0.4 * smooth(sinceNote / 0.09);
  return 0.2 * attack * release * swell * syllable;
}

const smooth = (share: number) => {
  const x = Math.min(1, Math.max(0, share));
  return x * x * (3 - 2 * x);
};

/** Air drawn in before a phrase. */
function addBreathing(sound: Float32Array, until: number, random: Random): void {
  const frames = Math.round(0.28 * RATE);
  const first = Math.round(until * RATE) - frames;
  let low = 0;
  for (let at = 0; at < frames; at += 1) {
    low += 0.35 * (random.between(-1, 1) - low);
    const index = first + at;
    if (index >= 0 && index < sound.length) {
      sound[index]! += 0.012 * low * Math.sin((Math.PI * at) / frames);
    }
  }
}

function addDrone(sound: Float32Array, tonic: number, wavetable: Wavetable): void {
  const strings = [tonic - 12, tonic - 5].map((pitch) => ({
    table: wavetable(pitch, OH),
    step: hertzOf(pitch) / RATE,
  }));
  for (const { table, step } of strings) {
    let phase = 0;
    for (let at = 0; at < sound.length; at += 1) {
      phase += step;
      if (phase >= 1) phase -= 1;
      sound[at]! += lookUp(table, phase) * 0.022;
    }
  }
}

/** Two decaying echoes: a small wooden room. */
function addRoom(sound: Float32Array): void {
  for (const [seconds, strength] of [
    [0.043, 0.22],
    [0.071, 0.18],
  ] as const) {
    const delay = Math.round(seconds * RATE);
    for (let at = delay; at < sound.length; at += 1) {
      sound[at]! += strength * sound[at - delay]!;
    }
  }
}

/** Two formants: centre frequencies and bandwidths. */
type Vowel = { name: string; formants: { hertz: number; width: number; strength: number }[] };

const vowel = (name: string, first: number, second: number): Vowel => ({
  name,
  formants: [
    { hertz: first, width: 130, strength: 1 },
    { hertz: second, width: 190, strength: 0.55 },
    { hertz: 2700, width: 350, strength: 0.12 },
  ],
});

const OH = vowel('o', 460, 820);
const VOWELS = [vowel('a', 720, 1150), OH, vowel('e', 480, 1750), vowel('u', 350, 720)] as const;

/** A power of two, so that a bit mask wraps around. */
const TABLE_SIZE = 2048;

/** One period of each pitch and vowel, cached. */
function wavetables(random: Random): Wavetable {
  const made = new Map<string, Float32Array>();
  const phases = Array.from({ length: 32 }, () => random.between(0, 2 * Math.PI));
  return (pitch, shape) => {
    const key = `${pitch} ${shape.name}`;
    const known = made.get(key);
    if (known) return known;
    const table = periodOf(hertzOf(pitch), shape, phases);
    made.set(key, table);
    return table;
  };
}

function periodOf(hertz: number, { formants }: Vowel, phases: number[]): Float32Array {
  const table = new Float32Array(TABLE_SIZE);
  for (const [index, phase] of phases.entries()) {
    const harmonic = index + 1;
    const at = harmonic * hertz;
    // Well below the Nyquist frequency, so that no overtone aliases when the pitch strays upwards.
    if (at > 0.4 * RATE) break;
    const resonance = formants.reduce(
      (sum, formant) => sum + formant.strength / (1 + ((at - formant.hertz) / formant.width) ** 2),
      0.14,
    );
    const amplitude = resonance / harmonic;
    for (let i = 0; i < TABLE_SIZE; i += 1) {
      const turn = (2 * Math.PI * harmonic * i) / TABLE_SIZE;
      table[i]! += amplitude * Math.sin(turn + phase);
    }
  }
  const power = Math.sqrt(table.reduce((sum, value) => sum + value * value, 0) / TABLE_SIZE);
  return table.map((value) => value / power);
}

function lookUp(table: Float32Array, phase: number): number {
  const at = phase * TABLE_SIZE;
  const index = Math.floor(at);
  const left = table[index]!;
  return left + (at - index) * (table[(index + 1) & (TABLE_SIZE - 1)]! - left);
}

const hertzOf = (pitch: number) => 440 * 2 ** ((pitch - 69) / 12);

function wavOf(sound: Float32Array): Buffer {
  let peak = 0;
  for (let at = 0; at < sound.length; at += 1) peak = Math.max(peak, Math.abs(sound[at]!));
  const fade = 0.25 * RATE;
  const wav = Buffer.alloc(44 + sound.length * 2);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + sound.length * 2, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(sound.length * 2, 40);
  for (let at = 0; at < sound.length; at += 1) {
    const edge = Math.min(1, at / fade, (sound.length - 1 - at) / fade);
    wav.writeInt16LE(Math.round((sound[at]! / peak) * LOUDEST * edge * 32_767), 44 + at * 2);
  }
  return wav;
}
