import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { handedOn } from '../decoding/open-files.ts';

/** How a copy is encoded. */
export type Encoding = { format: keyof typeof formats; channels: 1 | 2; bitsPerSecond: number; rate: number };

/**
 * Transcodes in one of the formats in which browsers seek exactly and begin before the download ends.
 * @param input the arguments that name the demuxer and the decoders, and the file
 * @param mostSeconds what comes later is left out
 * @throws Error when ffmpeg cannot be started or fails
 */
export async function encodeWithFfmpeg(
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
    { stdio: handedOn('ignore', [path, to]) },
  );
  const [code] = (await once(ffmpeg, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code ?? 'a signal'}`);
}

const formats = {
  /** The index first. An edit list in it leaves out what the encoder puts before the sound. */
  m4a: ['-c:a', 'aac', '-profile:a', 'aac_low', '-movflags', '+faststart', '-f', 'mp4'],
  /** Of constant bit rate, and so without an index. What the encoder puts before the sound is 23 ms at 48 kHz. */
  mp3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
};
