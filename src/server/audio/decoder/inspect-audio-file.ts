import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '#shared/errors.ts';
import { decodeTrack } from './decode.ts';
import { PeakMeter } from './peaks.ts';
import * as refuse from '../errors.ts';
import {
  AUDIO_CONTENT_TYPES,
  type AudioFacts,
  type AudioKind,
  type AudioRules,
  CODEC_PADDING_TOLERANCE_SECONDS,
} from '../rules.ts';
import { sniffAudioKind } from './sniff.ts';
import type { AudioTrack } from './audio-track.ts';
import { readWavLayout, measureWavPeaks } from './wav.ts';

/**
 * Minimum share of the packets' duration that must be decodable. A file with a smaller share is rejected as
 * noise in a valid container.
 */
const MIN_DECODED_SHARE = 0.5;
/**
 * Maximum number of seconds by which the decoded audio may be shorter than the packets. If more is missing, the
 * file's duration is that of the decoded audio.
 */
const MAX_SHORTFALL_SECONDS = 0.05;

type Tools = {
  ffmpegPath: string | null;
  /** Called occasionally for a long file, with the share that has been decoded, from 0 to 1. */
  onProgress?: (fraction: number) => void;
};

/**
 * Inspects an audio file. Sets no limits on time or memory, so it must run in a process that has limits.
 * @throws AppError 415 if the file is not supported, 400 if it is too long; any other error means that ffmpeg
 * cannot be started or the file cannot be opened
 */
export async function inspectAudioFile(path: string, rules: AudioRules, tools: Tools): Promise<AudioFacts> {
  await using file = await open(path);
  const kind = await detectKind(file);
  if (kind === 'wav') return await inspectWav(file, rules);
  // Loads the demuxers on demand, because a WAV doesn't need them.
  const { openAudioTrack } = await import('./audio-track.ts');
  const track = await rethrowAsBroken(() => openAudioTrack(file, kind));
  assertAllowedKind(rules, track.kind);
  return await inspectTrack(path, file, track, rules, tools);
}

/**
 * Inspects a WAV, which needs no decoder because its samples are read directly. Also rejects files that aren't
 * audio. Both are safe even outside a child process, because each read blocks for less than a millisecond.
 * @returns null for all other kinds of audio
 * @throws AppError like `inspectAudioFile`
 */
export async function inspectIfWav(file: FileHandle, rules: AudioRules): Promise<AudioFacts | null> {
  return (await detectKind(file)) === 'wav' ? inspectWav(file, rules) : null;
}

async function detectKind(file: FileHandle): Promise<AudioKind> {
  if ((await file.stat()).size === 0) throw refuse.createEmptyFileError();
  const kind = await sniffAudioKind(file);
  if (!kind) throw refuse.createNotAudioError();
  return kind;
}

async function inspectWav(file: FileHandle, rules: AudioRules): Promise<AudioFacts> {
  assertAllowedKind(rules, 'wav');
  const wav = await rethrowAsBroken(() => readWavLayout(file));
  const seconds = wav.frames / wav.rate;
  if (seconds > rules.maxSeconds + CODEC_PADDING_TOLERANCE_SECONDS)
    throw refuse.createAudioTooLongError(rules.maxSeconds);
  const meter = await measureWavPeaks(file, wav);
  return toFacts('wav', seconds, meter.bytes(), false);
}

async function inspectTrack(
  path: string,
  file: FileHandle,
  track: AudioTrack,
  rules: AudioRules,
  tools: Tools,
): Promise<AudioFacts> {
  const most = rules.maxSeconds + CODEC_PADDING_TOLERANCE_SECONDS;
  if (track.claimedSeconds !== null && track.claimedSeconds > most)
    throw refuse.createAudioTooLongError(rules.maxSeconds);
  const { measureTrackDuration } = await import('./audio-track.ts');
  const { seconds, vbr } = await rethrowAsBroken(() => measureTrackDuration(track, file, most));
  if (seconds <= 0) throw refuse.createBrokenAudioError();

  const peaks = await measurePeaks(path, file, track, seconds, tools);
  if (!peaks) return toFacts(track.kind, seconds, null, vbr);
  if (peaks.decodedSeconds < seconds * MIN_DECODED_SHARE) throw refuse.createBrokenAudioError();
  if (peaks.decodedSeconds > seconds - MAX_SHORTFALL_SECONDS)
    return toFacts(track.kind, seconds, peaks.bytes(), vbr);
  // Uses the decoded duration, and computes the peaks again for it, because damaged packets at the end can't be
  // decoded.
  const again = await measurePeaks(path, file, track, peaks.decodedSeconds, tools);
  return toFacts(track.kind, peaks.decodedSeconds, again?.bytes() ?? null, vbr);
}

/**
 * Decodes the whole file to compute its peaks.
 * @returns null if there is no decoder for the file
 */
async function measurePeaks(
  path: string,
  file: FileHandle,
  track: AudioTrack,
  seconds: number,
  tools: Tools,
): Promise<PeakMeter | null> {
  const meter = new PeakMeter(seconds, tools.onProgress);
  const isDecoded = await decodeTrack({ path, file, ffmpegPath: tools.ffmpegPath }, track, seconds, meter);
  return isDecoded ? meter : null;
}

function toFacts(kind: AudioKind, seconds: number, peaks: Uint8Array | null, vbr: boolean): AudioFacts {
  const durationMs = Math.max(1, Math.round(seconds * 1000));
  return { contentType: AUDIO_CONTENT_TYPES[kind], extension: kind, durationMs, peaks, vbr };
}

function assertAllowedKind(rules: AudioRules, kind: AudioKind): void {
  const kinds: readonly AudioKind[] | undefined = rules.kinds;
  if (kinds && !kinds.includes(kind)) throw refuse.createWrongAudioKindError(rules.kinds!);
}

/**
 * Runs a parser, and replaces its errors with the error for a broken file. Parsers throw arbitrary errors
 * ('Assertion failed.') on broken files. An AppError is thrown unchanged.
 */
async function rethrowAsBroken<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : refuse.createBrokenAudioError();
  }
}
