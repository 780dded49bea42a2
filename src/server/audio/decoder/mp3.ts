import type { FileHandle } from 'node:fs/promises';
import * as refuse from '../errors.ts';
import { createBufferedReader } from './buffered-reader.ts';

/**
 * Measures the real duration by walking through all frames. The parser is hand-written for speed, because an
 * hour has 140,000 frames.
 * @returns duration in seconds without the encoder's padding (0 if there are no frames), and whether the bit
 * rate varies, according to the frames or the header in the first frame
 * @throws AppError 400 as soon as the duration exceeds `maxSeconds`; 415 for MPEG layers I and II
 */
export async function measureMp3Duration(
  file: FileHandle,
  maxSeconds: number,
): Promise<{ seconds: number; vbr: boolean }> {
  const { size: fileSize } = await file.stat();
  const bytesAt = createBufferedReader(file);
  let at = await skipTags(file);
  let first: Frame | undefined;
  let padding: Padding | null = null;
  let frames = 0;
  let vbr = false;
  for (;;) {
    const head = await bytesAt(at, FRAME_HEADER_BYTES);
    if (head.length < FRAME_HEADER_BYTES) break;
    const frame = parseFrame(head);
    if (!frame || (first && !areSameStream(frame, first))) {
      const ahead = await bytesAt(at + 1, 4096);
      const sync = ahead.indexOf(0xff);
      at += 1 + (sync === -1 ? ahead.length : sync);
      continue;
    }
    if (at + frame.size > fileSize) break;
    if (frame.layer !== 3) throw refuse.createUnplayableCodecError();
    const info = first ? undefined : readInfoFrame(await bytesAt(at, frame.size));
    if (info) {
      padding = info.padding;
      vbr ||= info.vbr;
    } else {
      first ??= frame;
      vbr ||= frame.bitRate !== first.bitRate;
      frames++;
    }
    at += frame.size;
    if (first && (frames * first.samples) / first.rate > maxSeconds)
      throw refuse.createAudioTooLongError(maxSeconds);
  }
  if (!first) return { seconds: 0, vbr };
  const left = frames * first.samples - getPaddingSamples(frames, padding);
  return { seconds: Math.max(first.samples, left) / first.rate, vbr };
}

const FRAME_HEADER_BYTES = 4;

type Frame = { layer: number; bitRate: number; rate: number; samples: number; size: number };

const BIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/**
 * Parses the four bytes of a frame header. Returns null if they aren't a frame header. For layers I and II,
 * only `layer` is valid.
 */
function parseFrame([sync = 0, kind = 0, rates = 0]: Buffer): Frame | null {
  if (sync !== 0xff || (kind & 0b1110_0000) !== 0b1110_0000) return null;
  const version = (kind >> 3) & 0b11;
  const layer = 4 - ((kind >> 1) & 0b11);
  const bitRate = (version === 3 ? BIT_RATES_1 : BIT_RATES_2)[rates >> 4];
  const fullRate = SAMPLE_RATES[(rates >> 2) & 0b11];
  if (version === 1 || layer === 4 || !bitRate || !fullRate) return null;
  // MPEG-2 halves the sample rate, and MPEG-2.5 halves it again. Both halve the number of samples per frame.
  const rate = fullRate / { 0: 4, 2: 2, 3: 1 }[version]!;
  const samples = version === 3 ? 1152 : 576;
  const size = Math.floor(((samples / 8) * bitRate * 1000) / rate) + ((rates >> 1) & 1);
  return { layer, bitRate, rate, samples, size };
}

/**
 * Returns whether two frames agree in the properties that never change within a file. If they differ, one of
 * them is not a frame, but audio data or a tag that happens to look like a frame header.
 */
function areSameStream(one: Frame, other: Frame): boolean {
  return one.layer === other.layer && one.rate === other.rate && one.samples === other.samples;
}

/**
 * Numbers of samples that the encoder added before and after the music, as declared in the first frame. Players
 * skip them. `frames` is the number of frames in the intact file. A file with fewer frames is truncated, so the
 * padding at its end is missing too.
 */
type Padding = { before: number; after: number; frames: number };

/** Delay of layer III decoders in samples (528 + 1). It counts as padding too. */
const DECODER_DELAY = 529;
/** Possible offsets of the 'Xing' or 'Info' marker, depending on version and channels. */
const MARKER_OFFSETS = [4 + 9, 4 + 17, 4 + 32];
const VBRI_OFFSET = 4 + 32;
/**
 * Flags for a frame count, byte count, table of contents and quality. LAME's fields are at the expected offset
 * only if all four are set.
 */
const ALL_FLAGS = 0b1111;

/**
 * Reads the header in the first frame, which describes the other frames. If it declares no padding, the
 * measured duration is up to 0.1 s longer than the music.
 * @returns undefined if the first frame is an ordinary frame
 */
function readInfoFrame(frame: Buffer): { padding: Padding | null; vbr: boolean } | undefined {
  const text = (from: number) => frame.toString('latin1', from, from + 4);
  // Fraunhofer's header, which always has this offset and means that the bit rate is variable.
  if (text(VBRI_OFFSET) === 'VBRI') return { padding: null, vbr: true };
  const marker = MARKER_OFFSETS.find((offset) => ['Xing', 'Info'].includes(text(offset)));
  if (marker === undefined) return undefined;
  // In a file of constant bit rate, the same header is called 'Info'.
  const vbr = text(marker) === 'Xing';
  if (marker + 144 > frame.length || (frame.readUInt32BE(marker + 4) & ALL_FLAGS) !== ALL_FLAGS) {
    return { padding: null, vbr };
  }
  if (!['LAME', 'Lavf', 'Lavc'].includes(text(marker + 120))) return { padding: null, vbr };
  const packed = frame.readUIntBE(marker + 141, 3);
  return {
    vbr,
    padding: {
      before: (packed >> 12) + DECODER_DELAY,
      after: Math.max(0, (packed & 0xfff) - DECODER_DELAY),
      frames: frame.readUInt32BE(marker + 8),
    },
  };
}

function getPaddingSamples(frames: number, padding: Padding | null): number {
  if (!padding) return 0;
  return padding.before + (frames >= padding.frames ? padding.after : 0);
}

/** Returns the offset of the first byte after all ID3v2 tags. A file may have several. */
async function skipTags(file: FileHandle): Promise<number> {
  const bytesAt = createBufferedReader(file);
  let at = 0;
  for (;;) {
    const tag = await bytesAt(at, 10);
    if (tag.length < 10 || tag.toString('latin1', 0, 3) !== 'ID3') return at;
    const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + (tag[i]! & 0x7f), 0);
    const footer = tag[5]! & 0x10 ? 10 : 0;
    at += 10 + size + footer;
  }
}
