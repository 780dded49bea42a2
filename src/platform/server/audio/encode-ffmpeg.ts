import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { handedOn } from '../decoding/open-files.ts';

/** Transparent for voice and drone, mono or stereo; ffmpeg uses less where a low sample rate allows no more. */
const BITS_A_SECOND = '160k';

/**
 * Transcodes an MP3 to M4A (AAC), whose sample table lets browsers seek exactly, with the index first so that playback
 * can start before the download ends.
 * @throws Error when ffmpeg cannot be started or fails
 */
export async function encodeWithFfmpeg(ffmpegPath: string, from: string, to: string): Promise<void> {
  const ffmpeg = spawn(ffmpegPath, argumentsFor(from, to), { stdio: handedOn('ignore', [from, to]) });
  const [code] = (await once(ffmpeg, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code ?? 'a signal'}`);
}

function argumentsFor(from: string, to: string): string[] {
  // Demuxer and decoder are named explicitly as in decode-ffmpeg.ts: ffmpeg must not probe the file itself.
  const input = ['-protocol_whitelist', 'file', '-codec_whitelist', 'mp3float,mp3,mp3_at', '-f', 'mp3'];
  const sound = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1'];
  return [
    ...['-nostdin', '-hide_banner', '-loglevel', 'quiet', '-threads', '1'],
    ...[...input, '-i', `file:${from}`, ...sound],
    ...['-c:a', 'aac', '-b:a', BITS_A_SECOND, '-movflags', '+faststart', '-f', 'mp4', '-y', `file:${to}`],
  ];
}
