/** A syllable and the part of a contour in which it is sung; `to` is exclusive. */
export type SungSyllable = { text: string; from: number; to: number };

/** Pitch range below which a line counts as staying on one note, and a rise does not count as a climb. */
const MAX_LEVEL_RANGE_CENTS = 100;
/** Largest pitch difference that counts as level. A step down by at most this much does not end a climb. */
const MAX_STEP_DOWN_CENTS = 40;

/**
 * Shape of a contour, in syllable indices; null if it stays on one note or fewer than two syllables have a
 * tone.
 */
type ContourShape = {
  /** Syllable where the climb to the highest syllable begins; null if the line does not climb. */
  climbsFrom: number | null;
  highest: number;
  beginsHighest: boolean;
} | null;

/**
 * Returns two sentences for users who can't see the picture: how the melody moves, and how the student's
 * singing compares, without judging it.
 * @param hers the teacher's pitch in cents; NaN where there is no tone
 * @param mine the student's pitch in cents, on the time axis of `hers`; NaN where there is no tone
 */
export function describeContours(
  teacher: string,
  hers: Float32Array,
  mine: Float32Array,
  syllables: readonly SungSyllable[],
): [string, string] {
  const pitchesOf = (cents: Float32Array) => syllables.map(({ from, to }) => getMedianCents(cents, from, to));
  const her = getContourShape(pitchesOf(hers));
  const own = getContourShape(pitchesOf(mine), her?.highest);
  const quoted = (at: number) => `“${syllables[at]!.text}”`;
  return [
    `${teacher}’s line ${describeTeacher(her, quoted)}.`,
    `Yours ${describeStudent(her, own, quoted)}.`,
  ];
}

type QuoteSyllable = (at: number) => string;

const STAYS_ON_ONE_NOTE = 'stays close to one note';

function describeTeacher(course: ContourShape, quoted: QuoteSyllable): string {
  if (!course) return STAYS_ON_ONE_NOTE;
  const highest = `is highest on ${quoted(course.highest)}`;
  if (course.climbsFrom !== null) return `climbs from ${quoted(course.climbsFrom)} and ${highest}`;
  return course.beginsHighest ? `${highest}, where it starts, and falls from there` : highest;
}

function describeStudent(hers: ContourShape, own: ContourShape, quoted: QuoteSyllable): string {
  if (!own) return hers ? STAYS_ON_ONE_NOTE : `${STAYS_ON_ONE_NOTE} too`;
  if (!hers) return describeTeacher(own, quoted);
  const isHighestThere = own.highest === hers.highest;
  const highest = isHighestThere ? 'is highest there too' : `is highest on ${quoted(own.highest)}`;
  if (own.climbsFrom === null) {
    if (!isHighestThere) return describeTeacher(own, quoted);
    const isSame = hers.climbsFrom === null && own.beginsHighest === hers.beginsHighest;
    return isSame ? 'does the same' : highest;
  }
  if (hers.climbsFrom === null) return `climbs from ${quoted(own.climbsFrom)} and ${highest}`;
  if (own.climbsFrom === hers.climbsFrom)
    return isHighestThere
      ? 'climbs and is highest on the same syllables'
      : `climbs from there too and ${highest}`;
  return `climbs ${own.climbsFrom > hers.climbsFrom ? 'later' : 'sooner'} and ${highest}`;
}

/**
 * @param pitches cents, one value per syllable; NaN if it has no tone
 * @param rather index of a syllable to count as the highest if others are at most slightly higher
 */
function getContourShape(pitches: readonly number[], rather?: number): ContourShape {
  const voiced = pitches.flatMap((pitch, at) => (Number.isNaN(pitch) ? [] : [{ pitch, at }]));
  const top = voiced.reduce((best, one, index) => (one.pitch > voiced[best]!.pitch ? index : best), 0);
  const same = voiced.findIndex(
    ({ at, pitch }) => at === rather && pitch >= voiced[top]!.pitch - MAX_STEP_DOWN_CENTS,
  );
  const highest = same < 0 ? top : same;
  const lowest = Math.min(...voiced.map(({ pitch }) => pitch));
  if (voiced.length < 2 || voiced[top]!.pitch - lowest < MAX_LEVEL_RANGE_CENTS) return null;
  let first = highest;
  let bottom = highest;
  while (first > 0 && voiced[first - 1]!.pitch <= voiced[first]!.pitch + MAX_STEP_DOWN_CENTS) {
    first -= 1;
    // The climb starts at its lowest syllable. A syllable before it that is about as high does not belong to
    // the climb.
    if (voiced[first]!.pitch < voiced[bottom]!.pitch - MAX_STEP_DOWN_CENTS) bottom = first;
  }
  const climbs = voiced[highest]!.pitch - voiced[bottom]!.pitch >= MAX_LEVEL_RANGE_CENTS;
  return {
    climbsFrom: climbs ? voiced[bottom]!.at : null,
    highest: voiced[highest]!.at,
    beginsHighest: highest === 0,
  };
}

/**
 * Returns the median pitch, because a mean would include the transitions at a syllable's ends; NaN without a
 * tone.
 */
function getMedianCents(cents: Float32Array, from: number, to: number): number {
  const tones = [...cents.subarray(Math.round(from), Math.round(to))]
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  return tones[tones.length >> 1] ?? NaN;
}
