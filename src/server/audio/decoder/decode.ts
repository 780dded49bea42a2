import type { FileHandle } from 'node:fs/promises';
import { decodeWithFfmpeg } from './decode-ffmpeg.ts';
import { decodeWithWasm } from './decode-wasm.ts';
import type { SampleListener } from './sample-listener.ts';
import type { AudioTrack } from './audio-track.ts';

/**
 * Decodes a track and passes the samples to the listener. Uses ffmpeg if it is available and can decode the
 * codec, otherwise the decoders in this process.
 * @param seconds duration of the track
 * @returns false if ffmpeg is not available and this process has no decoder for the codec
 */
export async function decodeTrack(
  { path, file, ffmpegPath }: { path: string; file: FileHandle; ffmpegPath: string | null },
  track: AudioTrack,
  seconds: number,
  listener: SampleListener,
): Promise<boolean> {
  if (ffmpegPath) await decodeWithFfmpeg(ffmpegPath, path, track, seconds, listener);
  if (listener.decodedSeconds > 0) return true;
  return (await decodeWithWasm(file, track, listener)) || ffmpegPath !== null;
}
