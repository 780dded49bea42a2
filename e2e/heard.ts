import type { Page } from '@playwright/test';

/** Sound of one press, or of one round of a loop: the positions at which it began and ended, and its samples. */
export type Heard = { from: number; to: number; samples: Float32Array };

/** Sampling rate of the recorded sound. */
export const HEARD_RATE = 16_000;

type Recorded = { from: number; to: number; samples: number[] };
type Listening = typeof globalThis & { recorded: Promise<Recorded>[] };

/** Records the output of the page's audio elements, not their files, from the next page load on. */
export const listen = (page: Page) =>
  page.addInitScript((rate) => {
    const recorded: Promise<Recorded>[] = [];
    Object.assign(globalThis, { recorded });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function playAndRecord() {
      const audio = this as HTMLMediaElement & { captureStream(): MediaStream };
      // The position that was set before. From here on, playback advances at its own pace.
      const from = audio.currentTime;
      recorded.push(
        new Promise((resolve) => {
          const onPlaying = () => {
            const recorder = new MediaRecorder(audio.captureStream());
            recorder.ondataavailable = async ({ data }) => {
              const decoder = new OfflineAudioContext(1, 1, rate);
              const sound = await decoder.decodeAudioData(await data.arrayBuffer());
              resolve({ from, to: audio.currentTime, samples: [...sound.getChannelData(0)] });
            };
            audio.addEventListener('pause', () => recorder.stop(), { once: true });
            recorder.start();
          };
          audio.addEventListener('playing', onPlaying, { once: true });
        }),
      );
      return play.call(this);
    };
  }, HEARD_RATE);

/** Waits for the sounds of the last presses to end and returns them. */
export async function heard(page: Page): Promise<Heard[]> {
  const all = await page.evaluate(() => Promise.all((globalThis as Listening).recorded.splice(0)));
  return all.map(({ samples, ...when }) => ({ ...when, samples: Float32Array.from(samples) }));
}

/** Downsampling factor for HEARD_RATE: 2 kHz is enough to recognize a voice. */
const TOGETHER = 8;
const PIECE_SECONDS = 0.6;

const thinned = (samples: Float32Array) =>
  Float32Array.from({ length: Math.floor(samples.length / TOGETHER) }, (_, at) =>
    samples.subarray(at * TOGETHER, (at + 1) * TOGETHER).reduce((sum, one) => sum + one, 0),
  );

/**
 * Finds where an excerpt of a recorded sound occurs in another sound, and how similar it is there: 1 is identical.
 * @param at start of the piece, in seconds of the heard sound
 */
export function foundIn(sound: Float32Array, { samples }: Heard, at: number) {
  const rate = HEARD_RATE / TOGETHER;
  const whole = thinned(sound);
  const piece = thinned(samples).subarray(at * rate, (at + PIECE_SECONDS) * rate);
  const power = (values: Float32Array) => values.reduce((sum, one) => sum + one * one, 0);
  const own = power(piece);
  let best = { seconds: NaN, alike: 0 };
  for (let from = 0; from + piece.length <= whole.length; from++) {
    const part = whole.subarray(from, from + piece.length);
    let product = 0;
    for (let n = 0; n < piece.length; n++) product += piece[n]! * part[n]!;
    const alike = product / Math.sqrt(own * power(part) + 1e-9);
    if (alike > best.alike) best = { seconds: from / rate - at, alike };
  }
  return best;
}
