/** A syllable, and the values of a contour in which it is sung: from the first to the one after the last. */
export type SungSyllable = { text: string; from: number; to: number };

/** In cents. Less than this is one tone. */
const ONE_TONE = 100;
/** On the way up, no more than this is down. */
const LEVEL = 40;

/** By indices of syllables. */
type Course = {
  /** Null where it doesn't climb to its highest. */
  climbsFrom: number | null;
  highest: number;
  beginsHighest: boolean;
} | null;

/**
 * Two sentences for those who do not see the picture: how the melody goes, and how one's own voice does beside it. Nothing
 * is judged.
 * @param hers cents, NaN where there is no tone; `mine` likewise, on her time
 */
export function contourWords(
  hers: Float32Array,
  mine: Float32Array,
  syllables: readonly SungSyllable[],
): [string, string] {
  const pitchesOf = (cents: Float32Array) => syllables.map(({ from, to }) => middleOf(cents, from, to));
  const her = courseOf(pitchesOf(hers));
  const own = courseOf(pitchesOf(mine), her?.highest);
  const quoted = (at: number) => `“${syllables[at]!.text}”`;
  return [`Hers ${told(her, quoted)}.`, `Yours ${toldBeside(her, own, quoted)}.`];
}

type Quoted = (at: number) => string;

const STAYS = 'stays nearly on one tone';

function told(course: Course, quoted: Quoted): string {
  if (!course) return STAYS;
  const highest = `is highest on ${quoted(course.highest)}`;
  if (course.climbsFrom !== null) return `climbs from ${quoted(course.climbsFrom)} and ${highest}`;
  return course.beginsHighest ? `${highest}, with which it begins, and falls from there` : highest;
}

function toldBeside(hers: Course, own: Course, quoted: Quoted): string {
  if (!own) return hers ? STAYS : `${STAYS} too`;
  if (!hers) return told(own, quoted);
  const isHighestThere = own.highest === hers.highest;
  const highest = isHighestThere ? 'is highest there too' : `is highest on ${quoted(own.highest)}`;
  if (own.climbsFrom === null) return isHighestThere ? 'does the same' : told(own, quoted);
  if (hers.climbsFrom === null) return `climbs from ${quoted(own.climbsFrom)} and ${highest}`;
  if (own.climbsFrom === hers.climbsFrom)
    return isHighestThere
      ? 'climbs and is highest on the same syllables'
      : `climbs from there too and ${highest}`;
  return `climbs ${own.climbsFrom > hers.climbsFrom ? 'later' : 'sooner'} and ${highest}`;
}

/**
 * @param pitches of each syllable, NaN where it has no tone
 * @param rather the highest of several on one level
 */
function courseOf(pitches: readonly number[], rather?: number): Course {
  const heard = pitches.flatMap((pitch, at) => (Number.isNaN(pitch) ? [] : [{ pitch, at }]));
  const top = heard.reduce((best, one, index) => (one.pitch > heard[best]!.pitch ? index : best), 0);
  const same = heard.findIndex(({ at, pitch }) => at === rather && pitch >= heard[top]!.pitch - LEVEL);
  const highest = same < 0 ? top : same;
  const lowest = Math.min(...heard.map(({ pitch }) => pitch));
  if (heard.length < 2 || heard[top]!.pitch - lowest < ONE_TONE) return null;
  let first = highest;
  let bottom = highest;
  while (first > 0 && heard[first - 1]!.pitch <= heard[first]!.pitch + LEVEL) {
    first -= 1;
    // Level before it climbs is no part of the climb.
    if (heard[first]!.pitch < heard[bottom]!.pitch - LEVEL) bottom = first;
  }
  const climbs = heard[highest]!.pitch - heard[bottom]!.pitch >= ONE_TONE;
  return {
    climbsFrom: climbs ? heard[bottom]!.at : null,
    highest: heard[highest]!.at,
    beginsHighest: highest === 0,
  };
}

/** The median; the ends of a syllable are on the way from one tone to the next. */
function middleOf(cents: Float32Array, from: number, to: number): number {
  const tones = [...cents.subarray(Math.round(from), Math.round(to))]
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  return tones[tones.length >> 1] ?? NaN;
}
