import type { FileHandle } from 'node:fs/promises';
import { detectAudioKind, MAX_MP3_PADDING_BYTES } from '#shared/audio-kind.ts';
import type { AudioKind } from '../rules.ts';

/**
 * Detects the kind of audio by the file's magic bytes.
 * @returns null if the file isn't audio that browsers play
 */
export async function sniffAudioKind(file: FileHandle): Promise<AudioKind | null> {
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(MAX_MP3_PADDING_BYTES),
    0,
    MAX_MP3_PADDING_BYTES,
    0,
  );
  return detectAudioKind(buffer.subarray(0, bytesRead));
}
