import { RECORDING_SAMPLE_RATE } from './recording-format.ts';

/** Number of bytes before the first sample: the three chunks 'RIFF', 'fmt ' and 'data', and nothing else. */
export const WAV_HEADER_BYTES = 44;

const BYTES_PER_FRAME = 2;

/**
 * Creates a WAV file (16-bit mono at 32 kHz) from the blocks in order; two minutes are 7,680,044 bytes.
 *
 * The blocks are written as they are in memory, because WAV is little-endian, like every device with a
 * browser.
 */
export function encodeWav(blocks: readonly Int16Array<ArrayBuffer>[]): Blob {
  const frames = blocks.reduce((sum, block) => sum + block.length, 0);
  return new Blob([createHeader(frames), ...blocks], { type: 'audio/wav' });
}

/** Returns the samples of a file made by {@link encodeWav}. */
export async function readWavSamples(wav: Blob): Promise<Int16Array<ArrayBuffer>> {
  const bytes = await wav.slice(WAV_HEADER_BYTES).arrayBuffer();
  return new Int16Array(bytes, 0, Math.floor(bytes.byteLength / BYTES_PER_FRAME));
}

function createHeader(frames: number): ArrayBuffer {
  const dataBytes = frames * BYTES_PER_FRAME;
  const view = new DataView(new ArrayBuffer(WAV_HEADER_BYTES));
  writeText(view, 0, 'RIFF');
  view.setUint32(4, WAV_HEADER_BYTES - 8 + dataBytes, true);
  writeText(view, 8, 'WAVE');
  writeText(view, 12, 'fmt ');
  view.setUint32(16, 16, true); // bytes in this chunk
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, RECORDING_SAMPLE_RATE, true);
  view.setUint32(28, RECORDING_SAMPLE_RATE * BYTES_PER_FRAME, true);
  view.setUint16(32, BYTES_PER_FRAME, true);
  view.setUint16(34, 16, true); // bits per sample
  writeText(view, 36, 'data');
  view.setUint32(40, dataBytes, true);
  return view.buffer;
}

function writeText(view: DataView, offset: number, letters: string): void {
  for (let index = 0; index < letters.length; index += 1)
    view.setUint8(offset + index, letters.charCodeAt(index));
}
