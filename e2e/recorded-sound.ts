import type { Page } from '@playwright/test';

/**
 * Audio recorded during one call of `play()`: the samples, and the positions, in seconds, where playback
 * began and ended.
 */
export type RecordedSound = { from: number; to: number; samples: Float32Array };

/** Sample rate of the recorded audio, in Hz. */
export const RECORDED_SAMPLE_RATE = 16_000;

type RawRecording = { from: number; to: number; samples: number[] };
type RecordingWindow = typeof globalThis & { recorded: Promise<RawRecording>[] };

/** Records the output of the page's audio elements, not their files, from the next page load on. */
export const recordPlayback = (page: Page) =>
  page.addInitScript((rate) => {
    const recorded: Promise<RawRecording>[] = [];
    Object.assign(globalThis, { recorded });
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function playAndRecord() {
      const audio = this as HTMLMediaElement & { captureStream(): MediaStream };
      // Reads the position before playback advances it.
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
  }, RECORDED_SAMPLE_RATE);

/** Waits until every playback since the last call has ended, and returns what was recorded. */
export async function waitForRecordedSounds(page: Page): Promise<RecordedSound[]> {
  const all = await page.evaluate(() => Promise.all((globalThis as RecordingWindow).recorded.splice(0)));
  return all.map(({ samples, ...when }) => ({ ...when, samples: Float32Array.from(samples) }));
}

/** Downsampling factor for RECORDED_SAMPLE_RATE: 2 kHz is enough to recognize a voice. */
const DOWNSAMPLING = 8;
const EXCERPT_SECONDS = 0.6;

const downsample = (samples: Float32Array) =>
  Float32Array.from({ length: Math.floor(samples.length / DOWNSAMPLING) }, (_, at) =>
    samples.subarray(at * DOWNSAMPLING, (at + 1) * DOWNSAMPLING).reduce((sum, one) => sum + one, 0),
  );

/**
 * Finds an excerpt of recorded audio in other audio. Returns the position in the other audio, in seconds,
 * that matches the start of the recorded audio, and the similarity of the excerpt: 1 is identical.
 * @param at start of the excerpt, in seconds from the start of the recorded audio
 */
export function findExcerptInSound(sound: Float32Array, { samples }: RecordedSound, at: number) {
  const rate = RECORDED_SAMPLE_RATE / DOWNSAMPLING;
  const whole = downsample(sound);
  const piece = downsample(samples).subarray(at * rate, (at + EXCERPT_SECONDS) * rate);
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
