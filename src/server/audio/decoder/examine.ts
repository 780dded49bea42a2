import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '#shared/errors.ts';
import { decode } from './decode.ts';
import { PeakMeter } from './peaks.ts';
import * as refuse from '../errors.ts';
import {
  CONTENT_TYPES,
  type AudioFacts,
  type AudioKind,
  type AudioRules,
  PADDING_TOLERANCE_SECONDS,
} from '../rules.ts';
import { sniffAudioKind } from './sniff.ts';
import type { Track } from './track.ts';
import { readWav, measureWavPeaks } from './wav.ts';

/** Minimum share of the packets' duration that must be decodable: with less, it is noise in a valid container. */
const MIN_DECODED_SHARE = 0.5;
/** Largest shortfall of the decoded length, in seconds, for which the length of the packets is still used. */
const MAX_SHORTFALL_SECONDS = 0.05;

type Tools = {
  ffmpegPath: string | null;
  /** Called now and then with the share of a long sound that has been decoded, 0 to 1. */
  onProgress?: (fraction: number) => void;
};

/**
 * Examines an audio file. It sets no limits on time or memory: call it only in a process that has them.
 * @throws AppError 415 not supported, 400 too long; any other error means that ffmpeg cannot be started or the file
 * cannot be opened
 */
export async function examine(path: string, rules: AudioRules, tools: Tools): Promise<AudioFacts> {
  await using file = await open(path);
  const kind = await detectKind(file);
  if (kind === 'wav') return await examineWav(file, rules);
  // Loaded on demand, because WAV needs none of it.
  const { openTrack } = await import('./track.ts');
  const track = await rethrowAsBroken(() => openTrack(file, kind));
  assertAllowedKind(rules, track.kind);
  return await examineTrack(path, file, track, rules, tools);
}

/**
 * Examines a WAV, which needs no decoder: its samples are read as they are, in pieces of less than a millisecond.
 * This is safe in any process, as is refusing a file that isn't audio.
 * @returns null for every other kind of audio
 * @throws AppError as `examine` does
 */
export async function examineWithoutDecoder(file: FileHandle, rules: AudioRules): Promise<AudioFacts | null> {
  return (await detectKind(file)) === 'wav' ? examineWav(file, rules) : null;
}

async function detectKind(file: FileHandle): Promise<AudioKind> {
  if ((await file.stat()).size === 0) throw refuse.emptyFileError();
  const kind = await sniffAudioKind(file);
  if (!kind) throw refuse.notAudioError();
  return kind;
}

async function examineWav(file: FileHandle, rules: AudioRules): Promise<AudioFacts> {
  assertAllowedKind(rules, 'wav');
  const wav = await rethrowAsBroken(() => readWav(file));
  const seconds = wav.frames / wav.rate;
  if (seconds > rules.maxSeconds + PADDING_TOLERANCE_SECONDS) throw refuse.tooLongError(rules.maxSeconds);
  const meter = await measureWavPeaks(file, wav);
  return toFacts('wav', seconds, meter.bytes(), false);
}

async function examineTrack(
  path: string,
  file: FileHandle,
  track: Track,
  rules: AudioRules,
  tools: Tools,
): Promise<AudioFacts> {
  const most = rules.maxSeconds + PADDING_TOLERANCE_SECONDS;
  if (track.claimedSeconds !== null && track.claimedSeconds > most)
    throw refuse.tooLongError(rules.maxSeconds);
  const { measureTrack } = await import('./track.ts');
  const { seconds, vbr } = await rethrowAsBroken(() => measureTrack(track, file, most));
  if (seconds <= 0) throw refuse.brokenFileError();

  const peaks = await measurePeaks(path, file, track, seconds, tools);
  if (!peaks) return toFacts(track.kind, seconds, null, vbr);
  if (peaks.decodedSeconds < seconds * MIN_DECODED_SHARE) throw refuse.brokenFileError();
  if (peaks.decodedSeconds > seconds - MAX_SHORTFALL_SECONDS)
    return toFacts(track.kind, seconds, peaks.bytes(), vbr);
  // The last packets are damaged: use the audible length, and compute the peaks again for it.
  const again = await measurePeaks(path, file, track, peaks.decodedSeconds, tools);
  return toFacts(track.kind, peaks.decodedSeconds, again?.bytes() ?? null, vbr);
}

/**
 * Decodes the whole file for its peaks.
 * @returns null if no decoder here supports it
 */
async function measurePeaks(
  path: string,
  file: FileHandle,
  track: Track,
  seconds: number,
  tools: Tools,
): Promise<PeakMeter | null> {
  const meter = new PeakMeter(seconds, tools.onProgress);
  const isDecoded = await decode({ path, file, ffmpegPath: tools.ffmpegPath }, track, seconds, meter);
  return isDecoded ? meter : null;
}

function toFacts(kind: AudioKind, seconds: number, peaks: Uint8Array | null, vbr: boolean): AudioFacts {
  const durationMs = Math.max(1, Math.round(seconds * 1000));
  return { contentType: CONTENT_TYPES[kind], extension: kind, durationMs, peaks, vbr };
}

function assertAllowedKind(rules: AudioRules, kind: AudioKind): void {
  const kinds: readonly AudioKind[] | undefined = rules.kinds;
  if (kinds && !kinds.includes(kind)) throw refuse.wrongKindError(rules.kinds!);
}

/**
 * Turns any error into a refusal: parsers throw all kinds ('Assertion failed.') on broken files, and they all mean
 * the same.
 */
async function rethrowAsBroken<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : refuse.brokenFileError();
  }
}
