import { createResampler } from './resample.ts';
import { CAPTURE_BLOCK_FRAMES, RECORDING_SAMPLE_RATE } from './recording-format.ts';

/** Messages from the audio thread to the page. */
export type CaptureMessage =
  /**
   * `samples`: 16-bit mono at 32 kHz, {@link CAPTURE_BLOCK_FRAMES} of them except in the last block. `peak`: 0 to 1.
   */
  | { type: 'block'; samples: Int16Array<ArrayBuffer>; peak: number }
  /** The last message. `frames` is the exact number of frames in all blocks together. */
  | { type: 'end'; because: 'limit' | 'flush'; frames: number };

/** Commands from the page to the audio thread. */
export type CaptureCommand = 'pause' | 'resume' | 'flush';

/** Options that the audio thread is started with. */
export type CaptureOptions = {
  maxFrames: number;
  /** Records nothing until the first 'resume', so that frame 0 is the moment of that command. */
  startsPaused?: boolean;
};

export type Capture = {
  /**
   * Processes one render quantum of every channel.
   * @returns whether the capture needs more sound
   */
  process(channels: readonly Float32Array[]): boolean;
  command(command: CaptureCommand): void;
};

/** Fade at the beginning, at the end and around pauses, to avoid clicks. */
const FADE_SECONDS = 0.01;

/**
 * Time skipped at the beginning, because a microphone that has just opened delivers silence first and then a
 * thump.
 */
const WARM_UP_SECONDS = 0.1;

/**
 * Creates a capture, which does all processing on the audio thread: it mixes the sound down to mono, fades its
 * edges, resamples it to 32 kHz, rounds it to 16 bits, cuts it into blocks and counts the frames. It ends by
 * itself after exactly `maxFrames` frames. A timer would be wrong, because it keeps running while no sound
 * arrives.
 */
export function createCapture(
  inputRate: number,
  { maxFrames, startsPaused = false }: CaptureOptions,
  post: (message: CaptureMessage) => void,
): Capture {
  const resampler = createResampler(inputRate);
  const fadeStep = 1 / (FADE_SECONDS * inputRate);
  let mono = new Float32Array(128);
  let resampled = new Float32Array(resampler.getMaxOutputFrames(mono.length));
  let block = new Int16Array(CAPTURE_BLOCK_FRAMES);
  let filled = 0;
  let frames = 0;
  let skipped = 0;
  let hasStarted = false;
  let paused = startsPaused;
  let gain = 0;
  let ended = false;

  function take(channels: readonly Float32Array[]): boolean {
    const length = channels[0]?.length ?? (hasStarted ? 128 : 0);
    // Before the first sound, a quantum without channels is skipped, because it means that the microphone has
    // not started. After that, Firefox delivers pure silence in this form, and it counts as 128 frames.
    if (ended || length === 0) return !ended;
    // The warm-up passes even while paused, so that after a count-in the recording starts on the beat.
    if (skipped < WARM_UP_SECONDS * inputRate) {
      skipped += length;
      return true;
    }
    if (paused && gain === 0) return true;
    hasStarted = true;
    if (length > mono.length) {
      mono = new Float32Array(length);
      resampled = new Float32Array(resampler.getMaxOutputFrames(length));
    }
    const quantum = mono.subarray(0, length);
    mixDown(channels, quantum);
    fade(quantum);
    keep(resampled.subarray(0, resampler.push(quantum, resampled)));
    return !ended;
  }

  function fade(quantum: Float32Array): void {
    const target = paused ? 0 : 1;
    if (gain === target) return;
    for (let index = 0; index < quantum.length; index += 1) {
      gain = paused ? Math.max(0, gain - fadeStep) : Math.min(1, gain + fadeStep);
      quantum[index]! *= gain;
    }
  }

  function keep(samples: Float32Array): void {
    for (const sample of samples) {
      if (ended) return;
      block[filled] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
      filled += 1;
      frames += 1;
      if (filled === CAPTURE_BLOCK_FRAMES) postBlock();
      if (frames === maxFrames) end('limit');
    }
  }

  function postBlock(): void {
    const samples = filled === CAPTURE_BLOCK_FRAMES ? block : block.slice(0, filled);
    block = new Int16Array(CAPTURE_BLOCK_FRAMES);
    filled = 0;
    post({ type: 'block', samples, peak: getPeak(samples) / 32_768 });
  }

  function end(because: 'limit' | 'flush'): void {
    fadeOut(block.subarray(0, filled));
    if (filled > 0) postBlock();
    ended = true;
    post({ type: 'end', because, frames });
  }

  return {
    process: take,
    command(command) {
      if (ended) return;
      if (command === 'pause') paused = true;
      if (command === 'resume') paused = false;
      if (command === 'flush') {
        if (hasStarted) {
          const rest = new Float32Array(resampler.getMaxOutputFrames(0));
          keep(rest.subarray(0, resampler.flush(rest)));
        }
        // Ends the capture, unless the resampler's last frames have reached the length limit and thus ended it.
        if (!ended) end('flush');
      }
    },
  };
}

/**
 * Fades out the last 10 ms of the last block. If the block is shorter, the fade is shorter too, because earlier
 * blocks have already been delivered.
 */
function fadeOut(samples: Int16Array): void {
  const length = Math.min(samples.length, FADE_SECONDS * RECORDING_SAMPLE_RATE);
  for (let left = 0; left < length; left += 1) {
    const index = samples.length - 1 - left;
    samples[index] = Math.round(samples[index]! * (left / length));
  }
}

/** Writes the mean of all channels, because browsers may deliver stereo even if asked for mono. */
function mixDown(channels: readonly Float32Array[], mono: Float32Array): void {
  mono.fill(0);
  for (const channel of channels) {
    for (let index = 0; index < mono.length; index += 1) mono[index]! += channel[index]! / channels.length;
  }
}

function getPeak(samples: Int16Array): number {
  let most = 0;
  for (const sample of samples) most = Math.max(most, Math.abs(sample));
  return most;
}
