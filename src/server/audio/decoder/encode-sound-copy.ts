import { open } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SoundCopy } from '#shared/media.ts';
import { getInheritedStdio } from '#server/decoding/file-descriptors.ts';
import { getFfmpegInputOptions } from './decode-ffmpeg.ts';
import { sniffAudioKind } from './sniff.ts';
import { openAudioTrack } from './audio-track.ts';
import { readWavLayout } from './wav.ts';
import * as refuse from '../errors.ts';

/** Copy to make, and facts about the original that decide how the copy is encoded. */
export type SoundCopyRequest = {
  copy: SoundCopy;
  /** Duration of the original. */
  durationMs: number;
  seeksExactly: boolean;
  /** Size in bytes of the file that would be played without this copy. */
  insteadOf: number;
};

/** Bit rates of small copies in bit/s, by number of channels. Sufficient for voice and drone. */
const SMALL_BIT_RATES = { 1: 48_000, 2: 60_000 };
const FULL_BIT_RATES = { 1: 96_000, 2: 160_000 };

/**
 * Maximum duration of a small copy that is an M4A, in seconds. The index of such a file takes about a second to
 * download at 400 kbit/s.
 */
const MAX_M4A_SECONDS = 8 * 60;

/**
 * Maximum size of a small copy, as a share of the file that it replaces. A copy that saves less than a quarter
 * isn't worth storing.
 */
const MAX_SIZE_RATIO = 0.75;

/**
 * Maximum number of seconds by which a copy may be longer than the original. A copy is often a little longer,
 * because it consists of whole frames.
 */
const PADDING_TOLERANCE_SECONDS = 1;

/**
 * Sample formats of WAV that all supported browsers play. Phones and studios also write others, which only some
 * browsers play.
 */
const PORTABLE_WAV_FORMATS = new Set(['u8', 's16', 's24']);
const MAX_CHANNELS = 2;
const PORTABLE_RATES = { least: 8_000, most: 48_000 };

/**
 * Encodes a copy of an audio file. Sets no limits on time or memory, so it must run in a process that has
 * limits.
 * @param to path of an empty file
 * @returns whether the copy is worthwhile; if not, nothing is written
 * @throws Error if the copy can't be made
 */
export async function encodeSoundCopy(
  ffmpegPath: string,
  path: string,
  to: string,
  { copy, durationMs, seeksExactly, insteadOf }: SoundCopyRequest,
): Promise<boolean> {
  await using file = await open(path);
  const seconds = durationMs / 1000;
  const original = await openOriginal(file, path);
  if (copy === 'full' && original.isForAll && seeksExactly) return false;
  const { size } = await file.stat();
  const channels = original.channels === 1 ? 1 : 2;
  const encodings =
    copy === 'full'
      ? [getFullEncoding(channels, (size * 8) / seconds)]
      : getSmallEncodings(channels, seconds);
  for (const [at, encoding] of encodings.entries()) {
    if (copy === 'small' && (encoding.bitsPerSecond / 8) * seconds > insteadOf * MAX_SIZE_RATIO) return false;
    try {
      await encodeWithFfmpeg(ffmpegPath, original, to, encoding, seconds + PADDING_TOLERANCE_SECONDS);
      return true;
    } catch (error) {
      if (at === encodings.length - 1) throw error;
    }
  }
  return false;
}

/**
 * Returns the encoding of a full copy. Uses at most the original's bit rate, because a higher one would only
 * make the copy larger than the original. The lower bound keeps the copy from sounding worse than the small
 * copy.
 */
function getFullEncoding(channels: 1 | 2, bitsOfOriginal: number): Encoding {
  const bitsPerSecond = Math.round(
    Math.min(FULL_BIT_RATES[channels], Math.max(SMALL_BIT_RATES[channels], bitsOfOriginal)),
  );
  return { format: 'm4a', channels, bitsPerSecond, rate: 48_000 };
}

/**
 * Returns the encodings to try for a small copy, in order. The index of an M4A has an entry per frame, so it
 * takes 6 KB per minute at 24 kHz, and twice that at 48 kHz. It must arrive before playback can start.
 * Therefore a long file becomes an MP3, which needs no index, or an M4A if this ffmpeg can't encode MP3.
 */
function getSmallEncodings(channels: 1 | 2, seconds: number): Encoding[] {
  const m4a = { format: 'm4a', channels, bitsPerSecond: SMALL_BIT_RATES[channels], rate: 24_000 } as const;
  const mp3 = { format: 'mp3', channels: 1, bitsPerSecond: 64_000, rate: 48_000 } as const;
  return seconds > MAX_M4A_SECONDS ? [mp3, m4a] : [m4a];
}

type File = Parameters<typeof sniffAudioKind>[0];

async function openOriginal(file: File, path: string) {
  const kind = await sniffAudioKind(file);
  if (!kind) throw refuse.createNotAudioError();
  if (kind !== 'wav') {
    const track = await openAudioTrack(file, kind);
    // Other containers and codecs don't play in every supported browser. Raw AAC does, but it has no index,
    // so browsers can only estimate seek positions in it.
    const isForAll =
      track.kind === 'mp3' || track.kind === 'flac' || (track.kind === 'm4a' && track.codec === 'aac');
    return { ...getFfmpegInputOptions(path, track), channels: track.channels, isForAll };
  }
  const wav = await readWavLayout(file);
  const { least, most } = PORTABLE_RATES;
  const isForAll =
    PORTABLE_WAV_FORMATS.has(wav.format) &&
    wav.channels <= MAX_CHANNELS &&
    wav.rate >= least &&
    wav.rate <= most;
  // Passes the samples without their header to ffmpeg, because sizes in headers are often wrong.
  // `readWavLayout` has found the actual size.
  const part = ['-skip_initial_bytes', `${wav.offset}`, '-t', `${wav.frames / wav.rate}`];
  const samples = ['-f', FFMPEG_SAMPLE_FORMATS[wav.format], '-ar', `${wav.rate}`, '-ac', `${wav.channels}`];
  const input = ['-protocol_whitelist', 'file', ...part, ...samples, '-i', `file:${path}`];
  return { path, input, filters: [], channels: wav.channels, isForAll };
}

const FFMPEG_SAMPLE_FORMATS = {
  u8: 'u8',
  s16: 's16le',
  s24: 's24le',
  s32: 's32le',
  f32: 'f32le',
  alaw: 'alaw',
  ulaw: 'mulaw',
} satisfies Record<Awaited<ReturnType<typeof readWavLayout>>['format'], string>;

/** Format and parameters of a copy. */
type Encoding = { format: keyof typeof formats; channels: 1 | 2; bitsPerSecond: number; rate: number };

/**
 * Transcodes a file to a format in which browsers can seek exactly and start playing before the download ends.
 * @param input arguments that specify the demuxer, the decoders and the file
 * @param mostSeconds maximum duration of the copy; the rest is cut off
 * @throws Error if ffmpeg cannot be started or fails
 */
async function encodeWithFfmpeg(
  ffmpegPath: string,
  { path, input, filters }: { path: string; input: string[]; filters: string[] },
  to: string,
  { format, channels, bitsPerSecond, rate }: Encoding,
  mostSeconds: number,
): Promise<void> {
  const sound = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', ...filters];
  const ffmpeg = spawn(
    ffmpegPath,
    [
      ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1', ...input, ...sound],
      ...['-t', `${mostSeconds}`],
      ...['-b:a', `${bitsPerSecond}`, '-ac', `${channels}`, '-ar', `${rate}`],
      ...[...formats[format], '-y', `file:${to}`],
    ],
    { stdio: getInheritedStdio('ignore', [path, to]) },
  );
  const [code] = (await once(ffmpeg, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code ?? 'a signal'}`);
}

const formats = {
  /**
   * The index is at the beginning of the file. An edit list makes players skip the encoder's priming samples.
   */
  m4a: ['-c:a', 'aac', '-profile:a', 'aac_low', '-movflags', '+faststart', '-f', 'mp4'],
  /**
   * The bit rate is constant, so no index is needed. The encoder's priming samples delay the audio by at most
   * 23 ms (at 48 kHz).
   */
  mp3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
};
