import type { FileHandle } from 'node:fs/promises';
import { audioKindOf, LONGEST_PADDING } from '#shared/audio-kind.ts';
import type { AudioKind } from '../rules.ts';

/**
 * Detects the kind of audio by the file's magic bytes.
 * @returns null if it isn't audio that browsers play
 */
export async function sniff(file: FileHandle): Promise<AudioKind | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_PADDING), 0, LONGEST_PADDING, 0);
  return audioKindOf(buffer.subarray(0, bytesRead));
}
