import { spawn } from 'node:child_process';
import type { AudioCodec } from 'mediabunny';
import { getInheritedStdio } from '#server/decoding/file-descriptors.ts';
import type { SampleListener } from './sample-listener.ts';
import { isDecodableAudio } from '../rules.ts';
import type { AudioTrack } from './audio-track.ts';

/**
 * ffmpeg's demuxer for each kind of file. Always specified, because if ffmpeg detected the format itself, a
 * playlist could make it open other files.
 */
const demuxers: Record<AudioTrack['kind'], string> = {
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

/** Length of the AU header: '.snd', data offset, data size, encoding, sample rate, channels. */
const AU_HEADER_BYTES = 24;
/**
 * Maximum number of seconds by which the decoded audio may exceed the duration of the packets. The rest is cut
 * off as padding.
 */
const PADDING_TOLERANCE_SECONDS = 2;

/**
 * Decodes a file in a separate ffmpeg process and passes the samples to the listener. Ignores ffmpeg's exit
 * status, because for a truncated file, ffmpeg decodes all of its audio and then exits with an error.
 * @throws Error if ffmpeg cannot be started
 */
export async function decodeWithFfmpeg(
  ffmpegPath: string,
  path: string,
  track: AudioTrack,
  seconds: number,
  listener: SampleListener,
): Promise<void> {
  const ffmpeg = spawn(ffmpegPath, getArguments(path, track, seconds), {
    stdio: getInheritedStdio('pipe', [path]),
  });
  const started = new Promise<void>((resolve, reject) => {
    ffmpeg.once('spawn', resolve);
    ffmpeg.once('error', reject);
  });
  await started;
  try {
    await readAu(ffmpeg.stdout!, listener, seconds + PADDING_TOLERANCE_SECONDS);
  } finally {
    ffmpeg.kill('SIGKILL');
  }
}

/**
 * Returns the path of a file, ffmpeg's input arguments for it, and the audio filters that it needs. The
 * arguments name the demuxer and the decoders, so that ffmpeg doesn't probe the file.
 */
export function getFfmpegInputOptions(path: string, track: AudioTrack) {
  const codecs = decoders[track.codec] ?? track.codec;
  const input = ['-protocol_whitelist', 'file', '-codec_whitelist', codecs, '-f', demuxers[track.kind]];
  // Fills gaps between timestamps with silence. WebM stores pauses as such gaps, and without the silence, all
  // audio after a pause would come too early.
  const filters = track.kind === 'webm' ? ['-af', 'aresample=async=1'] : [];
  return { path, input: [...input, '-i', `file:${path}`], filters };
}

function getArguments(path: string, track: AudioTrack, seconds: number): string[] {
  const { input, filters } = getFfmpegInputOptions(path, track);
  // Outputs AU, because its fixed header contains the sample rate and the number of channels. 16 bits are
  // plenty for a waveform with 256 steps. Doesn't let ffmpeg resample or mix, because its downmix would make
  // stereo 3 dB louder.
  const output = ['-t', `${seconds + PADDING_TOLERANCE_SECONDS}`, '-c:a', 'pcm_s16be', '-f', 'au', 'pipe:1'];
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1', ...input],
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', ...filters, ...output],
  ];
}

async function readAu(
  stream: AsyncIterable<Buffer>,
  listener: SampleListener,
  mostSeconds: number,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let layout: { rate: number; channels: number } | undefined;
  let frame = 0;
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (!layout) {
      if (rest.length < AU_HEADER_BYTES || rest.length < rest.readUInt32BE(4)) continue;
      layout = { rate: rest.readUInt32BE(16), channels: rest.readUInt32BE(20) };
      if (!isDecodableAudio(layout.rate, layout.channels)) return;
      rest = rest.subarray(rest.readUInt32BE(4));
    }
    const frames = Math.floor(rest.length / 2 / layout.channels);
    const samples = toInt16(rest, frames * layout.channels);
    listener.add(samples, layout.channels, layout.rate, frame / layout.rate, 0x8000);
    rest = rest.subarray(samples.byteLength);
    frame += frames;
    if (frame / layout.rate > mostSeconds) return;
  }
}

function toInt16(bytes: Buffer, count: number): Int16Array {
  // Copies the bytes to align them for an Int16Array.
  const copy = Buffer.from(Uint8Array.prototype.slice.call(bytes, 0, count * 2).buffer);
  copy.swap16();
  return new Int16Array(copy.buffer, copy.byteOffset, count);
}
