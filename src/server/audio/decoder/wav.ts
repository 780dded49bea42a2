import type { FileHandle } from 'node:fs/promises';
import * as refuse from '../errors.ts';
import { isDecodableAudio } from '../rules.ts';
import type { SampleListener } from './sample-listener.ts';
import { PeakMeter } from './peaks.ts';

/** Layout of the audio in a WAV file, limited to the bytes that the file actually contains. */
export type WavLayout = {
  format: SampleFormat;
  channels: number;
  rate: number;
  /** Offset of the samples in bytes. */
  offset: number;
  frames: number;
};

type SampleFormat = keyof typeof bytesPerSample;

/** Bytes per sample of the WAV formats that both Chromium and Firefox play. */
const bytesPerSample = { u8: 1, s16: 2, s24: 3, s32: 4, f32: 4, alaw: 1, ulaw: 1 };

/**
 * Maximum number of chunks that are read. Real files have a handful. Without a limit, an endless list of empty
 * chunks would keep the process busy.
 */
const MAX_CHUNKS = 1000;
/** Bytes per read. Small, so that a read doesn't delay other requests. */
const READ_BYTES = 64 * 1024;

/**
 * Parses a WAV header. We wrote our own parser because chunk sizes in real files are often wrong: 0 or 4 GB in
 * a streamed file, too large in a truncated one. In these cases, the samples extend to the end of the file.
 * @throws AppError 415 if the file is damaged, contains no audio, or has a format that browsers don't play
 */
export async function readWavLayout(file: FileHandle): Promise<WavLayout> {
  const { size: fileSize } = await file.stat();
  let format: Omit<WavLayout, 'offset' | 'frames'> | undefined;
  let at = 12;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= fileSize; count++) {
    const header = await readBytesAt(file, at, 8);
    const name = header.toString('latin1', 0, 4);
    const size = header.readUInt32LE(4);
    at += 8;
    if (name === 'fmt ') format = parseFormat(await readBytesAt(file, at, Math.min(size, 40)));
    if (name === 'data' && format) {
      const there = fileSize - at;
      const length = size === 0 ? there : Math.min(size, there);
      const frames = Math.floor(length / (bytesPerSample[format.format] * format.channels));
      if (frames === 0) throw refuse.createEmptyFileError();
      return { ...format, offset: at, frames };
    }
    at += size + (size % 2);
  }
  throw refuse.createBrokenAudioError();
}

/** Computes the peaks of a WAV from its samples, without a decoder. */
export async function measureWavPeaks(file: FileHandle, wav: WavLayout): Promise<PeakMeter> {
  const meter = new PeakMeter(wav.frames / wav.rate);
  await readWavSamples(file, wav, meter);
  return meter;
}

/** Passes the samples of a WAV to the listener. */
export async function readWavSamples(
  file: FileHandle,
  wav: WavLayout,
  listener: SampleListener,
): Promise<void> {
  const frameSize = bytesPerSample[wav.format] * wav.channels;
  const framesAtOnce = Math.floor(READ_BYTES / frameSize);
  const bytes = new Uint8Array(framesAtOnce * frameSize);
  const read = readers[wav.format](bytes);
  for (let frame = 0; frame < wav.frames; frame += framesAtOnce) {
    const wanted = Math.min(framesAtOnce, wav.frames - frame);
    const { bytesRead } = await file.read(bytes, 0, wanted * frameSize, wav.offset + frame * frameSize);
    const { samples, fullScale } = read(Math.floor(bytesRead / frameSize) * wav.channels);
    listener.add(samples, wav.channels, wav.rate, frame / wav.rate, fullScale);
  }
}

async function readBytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

const EXTENSIBLE = 0xfffe;

function parseFormat(fmt: Buffer): Omit<WavLayout, 'offset' | 'frames'> {
  if (fmt.length < 16) throw refuse.createBrokenAudioError();
  const tag = fmt.readUInt16LE(0);
  const channels = fmt.readUInt16LE(2);
  const rate = fmt.readUInt32LE(4);
  const frameSize = fmt.readUInt16LE(12);
  const bits = fmt.readUInt16LE(14);
  if (!isDecodableAudio(rate, channels)) throw refuse.createBrokenAudioError();
  // The extensible format stores the real tag in the first bytes of a GUID.
  const format = getSampleFormat(tag === EXTENSIBLE && fmt.length >= 26 ? fmt.readUInt16LE(24) : tag, bits);
  if (!format) throw refuse.createUnplayableCodecError();
  if (frameSize !== bytesPerSample[format] * channels) throw refuse.createBrokenAudioError();
  return { format, channels, rate };
}

function getSampleFormat(tag: number, bits: number): SampleFormat | undefined {
  const formats: Record<string, SampleFormat> = {
    '1/8': 'u8',
    '1/16': 's16',
    '1/24': 's24',
    '1/32': 's32',
    '3/32': 'f32',
    '6/8': 'alaw',
    '7/8': 'ulaw',
  };
  return formats[`${tag}/${bits}`];
}

/** Converts the first `count` samples in the reader's byte buffer. */
type Reader = (count: number) => { samples: Float32Array | Int16Array; fullScale: number };

const readers: Record<SampleFormat, (bytes: Uint8Array<ArrayBuffer>) => Reader> = {
  u8: createReader(1, (view, at) => (view.getUint8(at) - 128) / 128),
  // Uses the bytes without conversion, because WAV and all supported machines are little-endian. Our recorder
  // writes this format.
  s16:
    ({ buffer }) =>
    (count) => ({ samples: new Int16Array(buffer, 0, count), fullScale: 0x8000 }),
  s24: createReader(3, (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 0x80_0000),
  s32: createReader(4, (view, at) => view.getInt32(at, true) / 0x8000_0000),
  f32: createReader(4, (view, at) => view.getFloat32(at, true)),
  alaw: createReader(1, (view, at) => decodeALaw(view.getUint8(at))),
  ulaw: createReader(1, (view, at) => decodeMuLaw(view.getUint8(at))),
};

function createReader(size: number, sampleAt: (view: DataView, at: number) => number) {
  return ({ buffer, length }: Uint8Array<ArrayBuffer>): Reader => {
    const view = new DataView(buffer);
    const samples = new Float32Array(length / size);
    return (count) => {
      for (let i = 0; i < count; i++) samples[i] = sampleAt(view, i * size);
      return { samples: samples.subarray(0, count), fullScale: 1 };
    };
  };
}

/** Decodes a sample in μ-law (ITU-T G.711). */
function decodeMuLaw(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = (((code & 0x0f) << 3) + 0x84) << ((code & 0x70) >> 4);
  return ((code & 0x80 ? -1 : 1) * (magnitude - 0x84)) / 0x8000;
}

/** Decodes a sample in A-law (ITU-T G.711). */
function decodeALaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code & 0x70) >> 4;
  const mantissa = (code & 0x0f) << 4;
  const magnitude = exponent === 0 ? mantissa + 8 : (mantissa + 0x108) << (exponent - 1);
  return ((code & 0x80 ? 1 : -1) * magnitude) / 0x8000;
}
