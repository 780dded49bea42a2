import type { Page } from '@playwright/test';
import { composeSong, inventSinger, perform, RATE, sungWav, wholeSong } from '#testing/singing.ts';
import { expect, test } from './fixtures.ts';
import { addMelody } from './player.ts';

test.use({ sharesWorld: true });

const song = composeSong('praise', { lines: 3 });
const everyLine = wholeSong(song);
/** One melody, and the same student twice, the second time faster and after a long silence. */
const sung = {
  hers: perform('melody', song, inventSinger('teacher'), everyLine),
  first: perform('first', song, inventSinger('student'), everyLine),
  second: perform('second', song, inventSinger('student'), everyLine, { tempo: 1.15, silenceBefore: 2 }),
};

test('a student hears a line as the teacher sings it, as it was sung, and across two attempts', async ({
  signedIn,
  world,
}) => {
  const melody = await addMelody(world, {
    text: 'Sangye\nJangchub\nDakgi',
    timings: sung.hers.lines.map(({ line, start }) => ({ line, start })),
    sound: sungWav(sung.hers.sound),
  });
  const student = await world.student();
  const client = await world.as(student);
  const ids: number[] = [];
  for (const attempt of ['first', 'second'] as const) {
    const sent = await client.form('/api/recordings', {
      title: melody.title,
      melodyId: melody.id,
      audio: { bytes: sungWav(sung[attempt].sound), name: 'take.wav' },
    });
    expect(sent.status).toBe(201);
    ids.push(sent.body.id as number);
  }
  const { start } = sung.second.lines[1]!;
  await world.teacher.form('/api/feedback', {
    recordingId: ids[1]!,
    marks: JSON.stringify([{ start: start + 0.5, end: null, text: 'Rise a little sooner' }]),
  });

  const page = await signedIn(student);
  await listenAlong(page);
  await page.goto('/feedback');
  await page.getByRole('button', { name: /^Line by line/ }).click();
  // Found while the page is open, or before.
  const line = page.getByRole('group', { name: 'Line 2', exact: true });
  await expect(line).toBeVisible({ timeout: 120_000 });
  const known: ReturnType<typeof whoseLine>[] = [];
  const heard = () => heardOf(page, known);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await button('Hers, line 2').click();
  await expect.poll(heard).toEqual([['hers', 1]]);
  await button('Mine, line 2').click();
  await expect.poll(heard).toEqual([
    ['hers', 1],
    ['second', 1],
  ]);
  await expect(page.getByRole('listitem').filter({ has: line })).toContainText('Rise a little sooner');

  // Each of the three lasts some seconds.
  await page.getByRole('button', { name: /^Line 3/ }).click();
  // The server may still be looking for the lines of the first attempt, and 'In turn' plays only what is found.
  await expect(button('1st attempt, line 3')).toBeVisible({ timeout: 120_000 });
  await button('In turn, line 3').click();
  await expect.poll(heard, { timeout: 90_000 }).toEqual([
    ['hers', 1],
    ['second', 1],
    ['hers', 2],
    ['first', 2],
    ['second', 2],
  ]);
});

declare global {
  interface Window {
    /** What was heard: of each sound that began, from which second, and its samples, at {@link RATE}. */
    heardSounds: { from: number; samples: number[] }[];
  }
}

/** Takes down what each element of the page plays. */
const listenAlong = (page: Page) =>
  page.addInitScript((sampleRate) => {
    window.heardSounds = [];
    const tapped = new WeakMap<HTMLMediaElement, () => void>();
    let context: AudioContext | null = null;
    const tap = (audio: HTMLMediaElement) => {
      context ??= new AudioContext({ sampleRate });
      let samples: number[] = [];
      const node = context.createScriptProcessor(4096, 1, 1);
      node.addEventListener('audioprocess', ({ inputBuffer }) => {
        if (!audio.paused) samples.push(...inputBuffer.getChannelData(0));
      });
      context.createMediaElementSource(audio).connect(node).connect(context.destination);
      return () => window.heardSounds.push({ from: audio.currentTime, samples: (samples = []) });
    };
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      const begin = tapped.get(this) ?? tap(this);
      tapped.set(this, begin);
      begin();
      return play.call(this);
    };
  }, RATE);

/** Of all that was heard so far, who sang it and which line, from 0; null where that is not known yet. */
async function heardOf(page: Page, known: ReturnType<typeof whoseLine>[]) {
  const sounds = await page.evaluate(
    ({ already, length }) =>
      window.heardSounds.map(({ from, samples }, at) => ({
        from,
        samples: already[at] ? [] : samples.slice(0, length),
      })),
    { already: known, length: 2 * RATE },
  );
  sounds.forEach(({ from, samples }, at) => (known[at] ??= whoseLine(Float32Array.from(samples), from)));
  return known;
}

/** Seconds of what was heard that are looked for, from these after it began: a busy page loses parts of some. */
const LOOKED_FOR = { from: [0.5, 1, 1.5], seconds: 0.4 };

/**
 * Finds a stretch of what was heard in what was sung: it is most alike, sample by sample, in one place alone.
 * @param began the second of the sound at which it began, which is to be that of the line
 */
function whoseLine(heard: Float32Array, began: number): [string, number] | null {
  const begin = heard.findIndex((sample) => Math.abs(sample) > 0.01);
  if (begin < 0) return null;
  const stretches = LOOKED_FOR.from.map((second) => begin + second * RATE);
  for (const from of stretches) {
    const to = from + LOOKED_FOR.seconds * RATE;
    if (heard.length < to) return null;
    const wanted = thinned(heard.subarray(from, to));
    const [best] = Object.entries(sung)
      .map(([who, { sound, lines }]) => ({ who, lines, ...mostAlike(wanted, thinned(sound)) }))
      .toSorted((one, other) => other.likeness - one.likeness);
    const { who, lines, likeness, second } = best!;
    const line = lines.find(
      ({ start, end }) => Math.abs(began - start) < 0.5 && second >= start && second < end,
    );
    if (likeness > 0.8 && line) return [who, line.line];
  }
  return null;
}

/** Of so many samples the mean: what is left is the voice, and a place in it is found at once. */
const THINNED = 8;

const thinned = (samples: Float32Array) =>
  Float32Array.from({ length: Math.floor(samples.length / THINNED) }, (_, at) => {
    let sum = 0;
    for (let each = at * THINNED; each < (at + 1) * THINNED; each += 1) sum += samples[each]!;
    return sum / THINNED;
  });

function mostAlike(wanted: Float32Array, sound: Float32Array) {
  const best = { likeness: 0, second: 0 };
  const loudness = dot(wanted, wanted);
  for (let at = 0; at + wanted.length <= sound.length; at += 1) {
    const there = sound.subarray(at, at + wanted.length);
    const likeness = dot(wanted, there) / Math.sqrt(loudness * dot(there, there) + 1e-9);
    if (likeness > best.likeness) Object.assign(best, { likeness, second: (at * THINNED) / RATE });
  }
  return best;
}

function dot(one: Float32Array, other: Float32Array) {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}
