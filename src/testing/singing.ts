import { createRandomGenerator, type RandomGenerator } from './random.ts';
import { createWav } from './tone.ts';

// Synthesizes singing voices with a source-filter model: a glottal pulse and noise pass through moving
// formants. The voices are not beautiful, but include what line alignment must handle: words, notes, breath
// and different singers.

export const SINGING_SAMPLE_RATE = 16_000;

export type SungNote = {
  /** Semitones above the singer's tonic. */
  pitch: number;
  beats: number;
  syllable: Syllable;
};
export type Song = { lines: SungNote[][]; secondsPerBeat: number; breathSeconds: number };

export type Syllable = { onset: Onset; vowel: Vowel; coda: 'm' | 'n' | 'ng' | '' };
type Onset = keyof typeof onsets | '';
type Vowel = keyof typeof vowels;

export type Singer = {
  /** Frequency of the singer's tonic, in Hz. */
  tonic: number;
  /** Factor by which the formants are higher than a man's. */
  tract: number;
  vibrato: { hertz: number; cents: number };
  /** Breathiness of the voice, from 0 (clear) to 1 (whispered). */
  breath: number;
  /** Dullness of the voice, from 0 to 1. */
  tilt: number;
  glideSeconds: number;
};

export type SungPart = { line: number; pauseBefore?: number; fromNote?: number };

export type SingingStyle = {
  tempo?: number;
  /** Unevenness of the tempo, from 0 to 1. */
  rubato?: number;
  /** Fraction of the notes that are sung wrong, from 0 to 1. */
  wrongNotes?: number;
  /** Sings everything on the tonic. */
  monotone?: boolean;
  /** Sings without words. */
  hummed?: boolean;
  /** Drift of the key, in cents per minute. */
  drift?: number;
  silenceBefore?: number;
};

export type SungPerformance = { sound: Float32Array; lines: { line: number; start: number; end: number }[] };

const vowels = {
  a: [730, 1190, 2500],
  e: [470, 1900, 2550],
  i: [290, 2250, 2950],
  o: [480, 850, 2450],
  u: [320, 750, 2300],
  y: [300, 1750, 2250],
  eu: [430, 1450, 2300],
} as const;

const onsets = {
  k: { noise: 1900, closure: 0.05, seconds: 0.03, loud: 0.5 },
  t: { noise: 4200, closure: 0.05, seconds: 0.025, loud: 0.5 },
  p: { noise: 900, closure: 0.05, seconds: 0.02, loud: 0.4 },
  s: { noise: 5600, closure: 0, seconds: 0.11, loud: 0.5 },
  sh: { noise: 2900, closure: 0, seconds: 0.11, loud: 0.5 },
  h: { noise: 1400, closure: 0, seconds: 0.07, loud: 0.2 },
  ts: { noise: 5000, closure: 0.04, seconds: 0.07, loud: 0.5 },
  m: { voiced: [260, 1000, 2200], seconds: 0.07, loud: 0.35 },
  n: { voiced: [270, 1450, 2400], seconds: 0.06, loud: 0.35 },
  l: { voiced: [360, 1150, 2700], seconds: 0.06, loud: 0.5 },
  r: { voiced: [400, 1250, 1700], seconds: 0.06, loud: 0.5 },
  y: { voiced: [280, 2100, 2900], seconds: 0.06, loud: 0.6 },
  w: { voiced: [300, 650, 2300], seconds: 0.06, loud: 0.6 },
} as const;

const codas = { m: [260, 1000, 2200], n: [270, 1450, 2400], ng: [280, 1900, 2500] } as const;
const HUM = [260, 1050, 2250] as const;

const ONSETS = Object.keys(onsets) as [Onset, ...Onset[]];
const VOWELS = Object.keys(vowels) as [Vowel, ...Vowel[]];

const SCALES: [number[], ...number[][]] = [
  [0, 2, 4, 7, 9],
  [0, 3, 5, 7, 10],
  [0, 2, 4, 5, 7, 9, 11],
  [0, 2, 3, 5, 7, 8, 10],
];

export type SongStructure = {
  lines: number;
  /** Number of lines after which the tune (not the words) repeats. */
  verse?: number;
  /** Every n-th line is the refrain, with the same tune and the same words. */
  refrain?: number;
  /** Sings nearly everything on one tone. */
  chant?: boolean;
};

/** Composes words and a tune. The same arguments always give the same song. */
export function composeSong(
  name: string,
  { lines, verse = Infinity, refrain = 0, chant = false }: SongStructure,
): Song {
  const random = createRandomGenerator(name);
  const scale = random.pick(SCALES);
  const secondsPerBeat = chant ? random.between(0.24, 0.4) : random.between(0.4, 0.75);
  const syllables = Math.round(random.between(6, 10));
  const made: SungNote[][] = [];
  for (let index = 0; index < lines; index++) {
    const returns = refrain > 0 && index % refrain === refrain - 1 ? made[refrain - 1] : undefined;
    if (returns) {
      made.push(returns);
      continue;
    }
    const tune = made[index % verse === index ? -1 : index % verse];
    const line: SungNote[] = [];
    let degree = Math.floor(random.between(-1, 5));
    const count = tune ? tune.length : Math.max(4, syllables + Math.round(random.between(-2, 2)));
    for (let at = 0; at < count; at++) {
      degree = Math.min(9, Math.max(-3, degree + Math.round(random.between(-2.4, 2.4))));
      const isLast = at === count - 1;
      const chanted = random.next() < 0.88 ? 0 : random.pick([-2, 2, 3]);
      const step = scale[((degree % scale.length) + scale.length) % scale.length]!;
      line.push({
        pitch: tune ? tune[at]!.pitch : chant ? chanted : 12 * Math.floor(degree / scale.length) + step,
        beats: tune ? tune[at]!.beats : isLast ? 2 : chant ? 1 : random.pick([0.5, 1, 1, 1, 1.5, 2]),
        syllable: composeSyllable(random),
      });
    }
    made.push(line);
  }
  return { lines: made, secondsPerBeat, breathSeconds: random.between(0.3, 0.9) };
}

const composeSyllable = (random: RandomGenerator): Syllable => ({
  onset: random.next() < 0.1 ? '' : random.pick(ONSETS),
  vowel: random.pick(VOWELS),
  coda: random.next() < 0.3 ? random.pick(['m', 'n', 'ng']) : '',
});

export function inventSinger(name: string): Singer {
  const random = createRandomGenerator(name);
  const isHigh = random.next() < 0.55;
  return {
    tonic: isHigh ? random.between(175, 280) : random.between(88, 150),
    tract: isHigh ? random.between(1.1, 1.26) : random.between(0.95, 1.08),
    vibrato: { hertz: random.between(4.2, 6.2), cents: random.pick([0, 15, 30, 60]) },
    breath: random.between(0.02, 0.25),
    tilt: random.between(0, 0.8),
    glideSeconds: random.between(0.02, 0.08),
  };
}

/** Returns the whole song, line by line. */
export const getAllParts = (song: Song): SungPart[] => song.lines.map((_, line) => ({ line }));

/** Renders a performance. The same arguments always give the same performance. */
export function renderPerformance(
  name: string,
  song: Song,
  singer: Singer,
  parts: SungPart[],
  manner: SingingStyle = {},
): SungPerformance {
  const random = createRandomGenerator(name);
  const { tempo = 1, rubato = 0, wrongNotes = 0, monotone = false, hummed = false, drift = 0 } = manner;
  const voice = new Voice(singer, random, hummed);
  voice.rest(manner.silenceBefore ?? random.between(0.2, 1.2));
  const lines: SungPerformance['lines'] = [];
  for (const { line, pauseBefore = 0, fromNote = 0 } of parts) {
    voice.rest(pauseBefore);
    const pace = (song.secondsPerBeat / tempo) * (1 + rubato * random.between(-0.2, 0.2));
    const start = voice.seconds;
    for (const note of song.lines[line]!.slice(fromNote)) {
      const wrong = random.next() < wrongNotes ? random.pick([-3, -2, -1, 1, 2, 3, 4]) : 0;
      const astray = random.between(-0.15, 0.15) + (drift / 100) * (voice.seconds / 60);
      const seconds = note.beats * pace * (1 + rubato * random.between(-0.25, 0.35));
      voice.sing(note.syllable, (monotone ? 0 : note.pitch + wrong) + astray, seconds);
    }
    lines.push({ line, start, end: voice.seconds });
    voice.breathe((song.breathSeconds / tempo) * (1 + rubato * random.between(-0.4, 0.6)));
  }
  voice.rest(random.between(0.2, 1));
  return { sound: voice.sound(), lines };
}

/** Renders meaningless syllables at the pace and pitch of speech. */
export function renderBabble(name: string, singer: Singer, seconds: number): Float32Array {
  const random = createRandomGenerator(name);
  const voice = new Voice({ ...singer, vibrato: { hertz: 5, cents: 0 }, glideSeconds: 0.07 }, random, false);
  while (voice.seconds < seconds) {
    const words = Math.round(random.between(5, 16));
    for (let at = 0; at < words; at++) {
      const falling = 4 - (6 * at) / words;
      voice.sing(composeSyllable(random), falling + random.between(-2.5, 2.5), random.between(0.12, 0.3));
    }
    voice.breathe(random.between(0.2, 0.9));
  }
  return voice.sound().slice(0, seconds * SINGING_SAMPLE_RATE);
}

/** Samples between two updates of the filters: 4 ms. */
const BLOCK = 64;

class Voice {
  readonly #singer: Singer;
  readonly #random: RandomGenerator;
  readonly #hummed: boolean;
  readonly #blocks: Float32Array[] = [];
  readonly #tract = [new Resonator(), new Resonator(), new Resonator(), new Resonator()];
  readonly #hiss = new Resonator();
  #formants = [500, 1500, 2500];
  #cents = 0;
  #isFirst = true;
  #phase = 0;
  #loud = 0;
  #dull = 0;
  #last = 0;
  #jitter = 0;
  #time = 0;

  constructor(singer: Singer, random: RandomGenerator, hummed: boolean) {
    this.#singer = singer;
    this.#random = random;
    this.#hummed = hummed;
  }

  get seconds() {
    return (this.#blocks.length * BLOCK) / SINGING_SAMPLE_RATE;
  }

  sound(): Float32Array {
    const sound = new Float32Array(this.#blocks.length * BLOCK);
    this.#blocks.forEach((block, index) => sound.set(block, index * BLOCK));
    return sound;
  }

  rest(seconds: number) {
    this.#render(seconds, { voice: 0, air: 0 });
    this.#isFirst = true;
  }

  breathe(seconds: number) {
    const air = Math.min(0.3, seconds / 2);
    this.#render(seconds - air, { voice: 0, air: 0 });
    this.#render(air, { voice: 0, air: 0.02, hiss: 1500 });
    this.#isFirst = true;
  }

  sing({ onset, vowel, coda }: Syllable, pitch: number, seconds: number) {
    const cents = pitch * 100;
    if (this.#isFirst) this.#cents = cents - this.#random.between(0, 150);
    this.#isFirst = false;
    const steady = this.#random.between(0.75, 1);
    if (this.#hummed) {
      this.#render(0.03, { voice: 0.15, air: 0, formants: HUM, cents });
      this.#render(seconds - 0.03, { voice: 0.5 * steady, air: 0, formants: HUM, cents });
      return;
    }
    let left = seconds;
    const sounds = onset === '' ? null : onsets[onset];
    if (sounds && 'voiced' in sounds) {
      left -= sounds.seconds;
      this.#render(sounds.seconds, { voice: sounds.loud, air: 0, formants: sounds.voiced, cents });
    } else if (sounds) {
      left -= sounds.closure + sounds.seconds;
      this.#render(sounds.closure, { voice: 0, air: 0 });
      this.#render(sounds.seconds, { voice: 0, air: sounds.loud * 0.3, hiss: sounds.noise });
    }
    const codaSeconds = coda === '' ? 0 : Math.min(0.15, left * 0.3);
    const air = this.#singer.breath * 0.1;
    this.#render(Math.max(0.04, left - codaSeconds), { voice: steady, air, formants: vowels[vowel], cents });
    if (coda !== '') this.#render(codaSeconds, { voice: 0.4, air: 0, formants: codas[coda], cents });
  }

  #render(
    seconds: number,
    aim: { voice: number; air: number; hiss?: number; formants?: readonly number[]; cents?: number },
  ) {
    const { tract, tilt, tonic, vibrato, glideSeconds } = this.#singer;
    const random = this.#random;
    for (let count = Math.round((seconds * SINGING_SAMPLE_RATE) / BLOCK); count > 0; count--) {
      this.#time += BLOCK / SINGING_SAMPLE_RATE;
      if (aim.cents !== undefined)
        this.#cents += (aim.cents - this.#cents) * Math.min(1, BLOCK / SINGING_SAMPLE_RATE / glideSeconds);
      this.#jitter += random.between(-6, 6) - 0.1 * this.#jitter;
      const shake = vibrato.cents * Math.sin(2 * Math.PI * vibrato.hertz * this.#time);
      const step = (tonic * 2 ** ((this.#cents + shake + this.#jitter) / 1200)) / SINGING_SAMPLE_RATE;
      aim.formants?.forEach((hertz, index) => {
        this.#formants[index]! += (hertz * tract - this.#formants[index]!) * 0.14;
      });
      [...this.#formants, 3600 * tract].forEach((hertz, index) => {
        this.#tract[index]!.tune(Math.min(hertz, 7000), [80, 100, 140, 250][index]!);
      });
      this.#hiss.tune(Math.min(7200, (aim.hiss ?? 3000) * Math.sqrt(tract)), 900);
      const block = new Float32Array(BLOCK);
      for (let at = 0; at < BLOCK; at++) {
        this.#loud += (aim.voice - this.#loud) * 0.004;
        this.#phase += step;
        if (this.#phase >= 1) this.#phase -= 1;
        // The derivative of Rosenberg's glottal pulse, which is open for 60 % of the period.
        const open = this.#phase / 0.6;
        const flow = open < 1 ? open * open * (1 - open) * 6.75 : 0;
        const pulse = flow - this.#last;
        this.#last = flow;
        this.#dull += (pulse - this.#dull) * (1 - 0.75 * tilt);
        const noise = random.next() - 0.5;
        let sample = this.#loud * (6 * this.#dull + noise * aim.air * (0.5 + flow));
        for (const resonator of this.#tract) sample = resonator.next(sample);
        block[at] = sample + (aim.hiss ? this.#hiss.next(noise) * aim.air * 2 : 0);
      }
      this.#blocks.push(block);
    }
  }
}

/** Klatt's second-order resonator, with a gain of 1 at 0 Hz. */
class Resonator {
  #a = 0;
  #b = 0;
  #c = 0;
  #one = 0;
  #two = 0;
  tune(hertz: number, width: number) {
    this.#c = -Math.exp((-2 * Math.PI * width) / SINGING_SAMPLE_RATE);
    this.#b =
      2 *
      Math.exp((-Math.PI * width) / SINGING_SAMPLE_RATE) *
      Math.cos((2 * Math.PI * hertz) / SINGING_SAMPLE_RATE);
    this.#a = 1 - this.#b - this.#c;
  }
  next(input: number) {
    const out = this.#a * input + this.#b * this.#one + this.#c * this.#two;
    this.#two = this.#one;
    this.#one = out;
    return out;
  }
}

const getPower = (sound: Float32Array) => {
  let sum = 0;
  let loud = 0;
  for (const sample of sound) {
    if (Math.abs(sample) > 1e-4) loud++;
    sum += sample * sample;
  }
  return sum / Math.max(1, loud);
};

/** Mixes `other` into `sound`, this many dB quieter than `sound`. Repeats `other` if it is shorter. */
export function mixSounds(sound: Float32Array, other: Float32Array, decibels: number): Float32Array {
  const gain = Math.sqrt(getPower(sound) / Math.max(1e-12, getPower(other))) * 10 ** (-decibels / 20);
  return sound.map((sample, at) => sample + gain * other[at % other.length]!);
}

/** Generates white noise, or noise low-pass filtered to resemble pink noise or the noise of a room. */
export function generateNoise(
  name: string,
  seconds: number,
  colour: 'white' | 'pink' | 'room',
): Float32Array {
  const random = createRandomGenerator(name);
  const share = { white: 1, pink: 0.12, room: 0.03 }[colour];
  let low = 0;
  return Float32Array.from({ length: seconds * SINGING_SAMPLE_RATE }, () => {
    const white = random.next() - 0.5;
    low += (white - low) * share;
    return low + 0.05 * white;
  });
}

/** Generates a sustained drone of tonic and fifth, slightly detuned so that they beat. */
export function generateDrone(tonic: number, seconds: number): Float32Array {
  const sound = new Float32Array(seconds * SINGING_SAMPLE_RATE);
  for (const [ratio, strength] of [
    [0.5, 1],
    [0.7493, 0.7],
    [1.002, 0.5],
  ] as const) {
    for (let harmonic = 1; harmonic <= 8; harmonic++) {
      const turn = (2 * Math.PI * tonic * ratio * harmonic) / SINGING_SAMPLE_RATE;
      const loud = strength / harmonic;
      for (let at = 0; at < sound.length; at++) {
        sound[at]! +=
          loud *
          Math.sin(turn * at) *
          (1 + 0.2 * Math.sin((at / SINGING_SAMPLE_RATE) * (0.7 + 0.3 * harmonic)));
      }
    }
  }
  return sound;
}

/**
 * Adds the reverberation of a room.
 * @param seconds reverberation time (RT60)
 */
export function addReverberation(sound: Float32Array, seconds: number): Float32Array {
  let wet = new Float32Array(sound.length);
  for (const delay of [477, 557, 631, 743]) {
    const back = 10 ** ((-3 * delay) / SINGING_SAMPLE_RATE / seconds);
    const line = new Float32Array(sound.length);
    for (let at = 0; at < sound.length; at++) {
      line[at] = sound[at]! + (at >= delay ? back * line[at - delay]! : 0);
      wet[at]! += 0.25 * (at >= delay ? line[at - delay]! : 0);
    }
  }
  for (const delay of [89, 211]) {
    const out = new Float32Array(wet.length);
    for (let at = 0; at < wet.length; at++) {
      out[at] = -0.6 * wet[at]! + (at >= delay ? wet[at - delay]! + 0.6 * out[at - delay]! : 0);
    }
    wet = out;
  }
  return sound.map((sample, at) => sample + 0.5 * wet[at]!);
}

/** Encodes a performance as a WAV file, normalized to a peak of 20,000. */
export function toWav(sound: Float32Array): Buffer {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  return createWav(
    sound.length / SINGING_SAMPLE_RATE,
    SINGING_SAMPLE_RATE,
    (second) => (20_000 * (sound[Math.round(second * SINGING_SAMPLE_RATE)] ?? 0)) / loudest,
  );
}
