import type { FileHandle } from 'node:fs/promises';
import type { AudioKind } from './rules.ts';

/** Padding that some encoders leave before the first MP3 frame; what a browser skips too. */
const LONGEST_PADDING = 4096;

/**
 * What the first bytes say the file is; null: no sound that browsers play. Only a claim: the container is
 * still to be read. Bytes that fit both MP3 and raw AAC are told apart by whoever reads the frames.
 */
export async function sniff(file: FileHandle): Promise<AudioKind | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_PADDING), 0, LONGEST_PADDING, 0);
  const head = buffer.subarray(0, bytesRead);
  const text = (from: number, to: number) => head.toString('latin1', from, to);

  if (text(0, 4) === 'RIFF') return text(8, 12) === 'WAVE' ? 'wav' : null;
  if (text(4, 8) === 'ftyp' || text(4, 8) === 'styp') return text(8, 12) === 'qt  ' ? null : 'm4a';
  if (text(0, 4) === 'OggS') return 'ogg';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 4) === '\x1a\x45\xdf\xa3') return text(4, 64).includes('webm') ? 'webm' : null;
  if (text(0, 3) === 'ID3') return 'mp3';

  const first = head.findIndex((byte) => byte !== 0);
  const [sync = 0, layer = 0] = head.subarray(first === -1 ? bytesRead : first);
  if (sync !== 0xff) return null;
  if ((layer & 0b1111_0110) === 0b1111_0000) return 'aac';
  return (layer & 0b1110_0000) === 0b1110_0000 ? 'mp3' : null;
}
