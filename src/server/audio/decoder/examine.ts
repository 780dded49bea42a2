import { open, type FileHandle } from 'node:fs/promises';
import { AppError } from '#shared/errors.ts';
import { decode } from './decode.ts';
import { PeakMeter } from './peaks.ts';
import * as refuse from '../refusals.ts';
import { servedAs, type AudioFacts, type AudioKind, type AudioRules, SPARE_SECONDS } from '../rules.ts';
import { sniff } from './sniff.ts';
import type { Track } from './track.ts';
import { readWav, wavPeaks } from './wav.ts';

/** Minimum share of the packets' duration that must be decodable: with less, it is noise in a valid container. */
const LEAST_DECODED = 0.5;
/** Largest shortfall of the decoded length, in seconds, for which the length of the packets is still used. */
const WITHIN_SECONDS = 0.05;

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
  const kind = await kindOf(file);
  if (kind === 'wav') return await examineWav(file, rules);
  // Loaded on demand, because WAV needs none of it.
  const { openTrack } = await import('./track.ts');
  const track = await orBroken(() => openTrack(file, kind));
  mustBeOneOf(rules, track.kind);
  return await examineTrack(path, file, track, rules, tools);
}

/**
 * Examines a WAV, which needs no decoder: its samples are read as they are, in pieces of less than a millisecond.
 * This is safe in any process, as is refusing a file that isn't audio.
 * @returns null for every other kind of audio
 * @throws AppError as `examine` does
 */
export async function examineWithoutDecoder(file: FileHandle, rules: AudioRules): Promise<AudioFacts | null> {
  return (await kindOf(file)) === 'wav' ? examineWav(file, rules) : null;
}

async function kindOf(file: FileHandle): Promise<AudioKind> {
  if ((await file.stat()).size === 0) throw refuse.empty();
  const kind = await sniff(file);
  if (!kind) throw refuse.notAudio();
  return kind;
}

async function examineWav(file: FileHandle, rules: AudioRules): Promise<AudioFacts> {
  mustBeOneOf(rules, 'wav');
  const wav = await orBroken(() => readWav(file));
  const seconds = wav.frames / wav.rate;
  if (seconds > rules.maxSeconds + SPARE_SECONDS) throw refuse.tooLong(rules.maxSeconds);
  const meter = await wavPeaks(file, wav);
  return factsOf('wav', seconds, meter.bytes(), false);
}

async function examineTrack(
  path: string,
  file: FileHandle,
  track: Track,
  rules: AudioRules,
  tools: Tools,
): Promise<AudioFacts> {
  const most = rules.maxSeconds + SPARE_SECONDS;
  if (track.claimedSeconds !== null && track.claimedSeconds > most) throw refuse.tooLong(rules.maxSeconds);
  const { measure } = await import('./track.ts');
  const { seconds, vbr } = await orBroken(() => measure(track, file, most));
  if (seconds <= 0) throw refuse.broken();

  const peaks = await listen(path, file, track, seconds, tools);
  if (!peaks) return factsOf(track.kind, seconds, null, vbr);
  if (peaks.heard < seconds * LEAST_DECODED) throw refuse.broken();
  if (peaks.heard > seconds - WITHIN_SECONDS) return factsOf(track.kind, seconds, peaks.bytes(), vbr);
  // The last packets are damaged: use the audible length, and compute the peaks again for it.
  const again = await listen(path, file, track, peaks.heard, tools);
  return factsOf(track.kind, peaks.heard, again?.bytes() ?? null, vbr);
}

/**
 * Decodes the whole file for its peaks.
 * @returns null if no decoder here supports it
 */
async function listen(
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

function factsOf(kind: AudioKind, seconds: number, peaks: Uint8Array | null, vbr: boolean): AudioFacts {
  const durationMs = Math.max(1, Math.round(seconds * 1000));
  return { contentType: servedAs[kind], extension: kind, durationMs, peaks, vbr };
}

function mustBeOneOf(rules: AudioRules, kind: AudioKind): void {
  const kinds: readonly AudioKind[] | undefined = rules.kinds;
  if (kinds && !kinds.includes(kind)) throw refuse.wrongKind(rules.kinds!);
}

/**
 * Turns any error into a refusal: parsers throw all kinds ('Assertion failed.') on broken files, and they all mean
 * the same.
 */
async function orBroken<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : refuse.broken();
  }
}
