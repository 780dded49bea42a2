import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { handedOn } from '../decoding/open-files.ts';

/** How a copy is encoded. */
export type Encoding = { channels: 1 | 2; bitsPerSecond: number; rate: number };

/**
 * Transcodes to M4A (AAC-LC), whose sample table lets browsers seek exactly, with the index first so that playback can
 * start before the download ends. An edit list in it leaves out what the encoder puts before the sound.
 * @param input the arguments that name the demuxer and the decoders, and the file
 * @param mostSeconds what comes later is left out
 * @throws Error when ffmpeg cannot be started or fails
 */
export async function encodeWithFfmpeg(
  ffmpegPath: string,
  { path, input, filters }: { path: string; input: string[]; filters: string[] },
  to: string,
  { channels, bitsPerSecond, rate }: Encoding,
  mostSeconds: number,
): Promise<void> {
  const sound = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', ...filters];
  const ffmpeg = spawn(
    ffmpegPath,
    [
      ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1', ...input, ...sound],
      ...['-t', `${mostSeconds}`, '-c:a', 'aac', '-profile:a', 'aac_low'],
      ...['-b:a', `${bitsPerSecond}`, '-ac', `${channels}`, '-ar', `${rate}`],
      ...['-movflags', '+faststart', '-f', 'mp4', '-y', `file:${to}`],
    ],
    { stdio: handedOn('ignore', [path, to]) },
  );
  const [code] = (await once(ffmpeg, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code ?? 'a signal'}`);
}
