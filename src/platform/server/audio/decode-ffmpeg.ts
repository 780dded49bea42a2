import { spawn } from 'node:child_process';
import type { AudioCodec } from 'mediabunny';
import { handedOn } from '../decoding/open-files.ts';
import type { PeakMeter } from './peaks.ts';
import { withinBounds } from './rules.ts';
import type { Track } from './track.ts';

/** By the sniffed kind: ffmpeg must not find out by itself, or a playlist could send it to other files. */
const demuxers: Record<Track['kind'], string> = {
  mp3: 'mp3',
  m4a: 'mov',
  ogg: 'ogg',
  webm: 'matroska',
  flac: 'flac',
  aac: 'aac',
};

const decoders: Partial<Record<AudioCodec, string>> = {
  aac: 'aac,aac_at,libfdk_aac',
  mp3: 'mp3float,mp3,mp3_at',
  opus: 'opus,libopus',
  vorbis: 'vorbis,libvorbis',
  flac: 'flac',
};

/** What an AU stream begins with: '.snd', offset of the samples, size, encoding, rate, channels. */
const AU_HEADER = 24;
/** The duration is known from the packets; what a decoder adds to it is padding. */
const SPARE_SECONDS = 2;

/**
 * Decodes with a separate ffmpeg process and lets the meter hear it. How the process ends is no matter: a torn
 * file ends in an error after all that could be decoded.
 * @throws Error when ffmpeg cannot be started
 */
export async function decodeWithFfmpeg(
  ffmpegPath: string,
  path: string,
  track: Track,
  seconds: number,
  meter: PeakMeter,
): Promise<void> {
  const ffmpeg = spawn(ffmpegPath, argumentsFor(path, track, seconds), { stdio: handedOn('pipe', [path]) });
  const started = new Promise<void>((resolve, reject) => {
    ffmpeg.once('spawn', resolve);
    ffmpeg.once('error', reject);
  });
  await started;
  try {
    await hearAu(ffmpeg.stdout!, meter, seconds + SPARE_SECONDS);
  } finally {
    ffmpeg.kill('SIGKILL');
  }
}

function argumentsFor(path: string, track: Track, seconds: number): string[] {
  const input = ['-protocol_whitelist', 'file', '-codec_whitelist', decoders[track.codec] ?? track.codec];
  // Pauses in a WebM stream are gaps between its timestamps: filled with silence, so that peaks keep their place.
  const gaps = track.kind === 'webm' ? ['-af', 'aresample=async=1'] : [];
  // AU says its rate and channels in a fixed header; 16 bits are plenty for 256 steps. Neither resampled nor
  // mixed down: mixing would make stereo 3 dB louder.
  const output = ['-t', `${seconds + SPARE_SECONDS}`, '-c:a', 'pcm_s16be', '-f', 'au', 'pipe:1'];
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1'],
    ...[...input, '-f', demuxers[track.kind], '-i', `file:${path}`],
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', ...gaps, ...output],
  ];
}

async function hearAu(stream: AsyncIterable<Buffer>, meter: PeakMeter, mostSeconds: number): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let layout: { rate: number; channels: number } | undefined;
  let frame = 0;
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (!layout) {
      if (rest.length < AU_HEADER || rest.length < rest.readUInt32BE(4)) continue;
      layout = { rate: rest.readUInt32BE(16), channels: rest.readUInt32BE(20) };
      if (!withinBounds(layout.rate, layout.channels)) return;
      rest = rest.subarray(rest.readUInt32BE(4));
    }
    const frames = Math.floor(rest.length / 2 / layout.channels);
    const samples = bigEndian(rest, frames * layout.channels);
    meter.hear(samples, layout.channels, layout.rate, frame / layout.rate, 0x8000);
    rest = rest.subarray(samples.byteLength);
    frame += frames;
    if (frame / layout.rate > mostSeconds) return;
  }
}

function bigEndian(bytes: Buffer, count: number): Int16Array {
  // A copy, so that it is aligned for the array of 16-bit numbers.
  const copy = Buffer.from(Uint8Array.prototype.slice.call(bytes, 0, count * 2).buffer);
  copy.swap16();
  return new Int16Array(copy.buffer, copy.byteOffset, count);
}
