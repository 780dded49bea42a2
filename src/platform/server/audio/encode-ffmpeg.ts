import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { handedOn } from '../decoding/open-files.ts';

/** Transparent for voice and drone, of one channel or of two; ffmpeg takes less where a low rate allows no more. */
const BITS_A_SECOND = '160k';

/**
 * Writes the sound of an MP3 as M4A (AAC), whose table of frames lets browsers seek exactly, and its index first, so
 * that it plays before all of it has come.
 * @throws Error when ffmpeg cannot be started, or did not come to the end
 */
export async function encodeWithFfmpeg(ffmpegPath: string, from: string, to: string): Promise<void> {
  const ffmpeg = spawn(ffmpegPath, argumentsFor(from, to), { stdio: handedOn('ignore', [from, to]) });
  const [code] = (await once(ffmpeg, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code ?? 'a signal'}`);
}

function argumentsFor(from: string, to: string): string[] {
  // The demuxer and decoder are named as in decode-ffmpeg.ts: ffmpeg must not find out by itself.
  const input = ['-protocol_whitelist', 'file', '-codec_whitelist', 'mp3float,mp3,mp3_at', '-f', 'mp3'];
  const sound = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1'];
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1'],
    ...[...input, '-i', `file:${from}`, ...sound],
    ...['-c:a', 'aac', '-b:a', BITS_A_SECOND, '-movflags', '+faststart', '-f', 'mp4', '-y', `file:${to}`],
  ];
}
