import type { FileHandle } from 'node:fs/promises';

/**
 * Samples that an encoder put before and after the music, and said so; players leave them out. `frames` is
 * how many the file had when it was whole: with fewer, the padding at its end has gone too.
 */
export type Padding = { before: number; after: number; frames: number };

/** What a decoder of layer III adds in front by itself (528 + 1): it counts as padding too. */
const DECODER_DELAY = 529;
const LONGEST_SEARCH = 4096;

/** Whether the frame is of layer III; browsers do not play layers I and II. */
export function isLayerThree(frame: Uint8Array): boolean {
  return (frame[1]! & 0b110) === 0b010;
}

/** The bit rate's place in its table: frames with different ones make a file of variable bit rate. */
export function bitRateIndex(frame: Uint8Array): number {
  return frame[2]! >> 4;
}

/**
 * The encoder's padding, from the Xing/Info frame that LAME and Lavc write first; null where there is none,
 * and then the file simply is up to 0.1 s longer than what was sung.
 */
export async function readPadding(file: FileHandle): Promise<Padding | null> {
  const start = await afterTags(file);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_SEARCH), 0, LONGEST_SEARCH, start);
  const head = buffer.subarray(0, bytesRead);
  const frame = head.indexOf(0xff);
  const marker = [4 + 9, 4 + 17, 4 + 32].map((offset) => frame + offset).find((at) => isMarker(head, at));
  if (frame === -1 || marker === undefined || marker + 144 > head.length) return null;
  // 7 is the flags for frames, bytes and table of contents: only with all three do LAME's fields stand here.
  if ((head.readUInt32BE(marker + 4) & 7) !== 7) return null;
  if (!/^(LAME|Lavf|Lavc)/.test(head.toString('latin1', marker + 120, marker + 124))) return null;
  const packed = head.readUIntBE(marker + 141, 3);
  return {
    before: (packed >> 12) + DECODER_DELAY,
    after: Math.max(0, (packed & 0xfff) - DECODER_DELAY),
    frames: head.readUInt32BE(marker + 8),
  };
}

function isMarker(head: Buffer, at: number): boolean {
  return /^(Xing|Info)$/.test(head.toString('latin1', at, at + 4));
}

/** The position behind the ID3v2 tags, of which there may be several. */
async function afterTags(file: FileHandle): Promise<number> {
  let at = 0;
  for (let count = 0; count < 16; count++) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(10), 0, 10, at);
    if (bytesRead < 10 || buffer.toString('latin1', 0, 3) !== 'ID3') break;
    const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + (buffer[i]! & 0x7f), 0);
    const footer = buffer[5]! & 0x10 ? 10 : 0;
    at += 10 + size + footer;
  }
  return at;
}
