/** The format of recordings made in the browser: 16-bit mono WAV at 32 kHz, at most two minutes. */

/** Frames per second. At 44.1 kHz two minutes would be 10.58 MB, over the upload limit; at 32 kHz they are 7.68 MB. */
export const RECORDING_SAMPLE_RATE = 32_000;

/** Maximum recording length, in seconds. */
export const MAX_RECORDING_SECONDS = 120;

/** The recorder warns when this many seconds or fewer are left. */
export const RECORDING_END_WARNING_SECONDS = 10;

/** Frames in one block: 128 ms, short enough for a responsive level meter, long enough to be cheap to store. */
export const CAPTURE_BLOCK_FRAMES = 4_096;

/** Bars in a waveform, one byte each. */
export const WAVEFORM_PEAK_COUNT = 200;
