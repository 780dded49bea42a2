import type { FileHandle } from 'node:fs/promises';
import type { PeakMeter } from './peaks.ts';
import type { Track } from './track.ts';

const CHUNK = 65_536;
/** mpg123-decoder repeats some errors forever, and reports them only through console.error. */
const MOST_COMPLAINTS = 500;

type Decoded = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number };

/**
 * Decodes in this process, with decoders compiled to WebAssembly, and feeds the samples to the meter. An error thrown
 * over a truncated or malformed file ends the decoding; what was decoded so far counts.
 * @returns false: there is no decoder for this codec (AAC; Vorbis in WebM; Opus with more than two channels)
 */
export async function decodeWithWasm(file: FileHandle, track: Track, meter: PeakMeter): Promise<boolean> {
  const decode = chooseDecoder(file, track);
  if (!decode) return false;
  /* oxlint-disable no-console -- the decoders' own use of it is what is listened to */
  const log = console.error;
  let complaints = 0;
  console.error = () => {
    if (++complaints > MOST_COMPLAINTS) throw new Error('The decoder makes no progress.');
  };
  try {
    await decode(meter);
  } catch {
    // What was decoded so far counts.
  } finally {
    console.error = log;
    /* eslint-enable no-console */
  }
  return true;
}

function chooseDecoder(file: FileHandle, track: Track): ((meter: PeakMeter) => Promise<void>) | null {
  if (track.codec === 'mp3')
    return (meter) => mp3(track.kind === 'mp3' ? chunksOf(file) : dataOf(track), meter);
  if (track.codec === 'flac') return (meter) => flac(track, meter);
  if (track.codec === 'opus' && track.channels <= 2) return (meter) => opus(track, meter);
  if (track.codec === 'vorbis' && track.kind === 'ogg') return (meter) => vorbis(file, meter);
  return null;
}

async function mp3(chunks: AsyncIterable<Uint8Array>, meter: PeakMeter) {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const hear = oneAfterAnother(meter);
  for await (const chunk of chunks) hear(decoder.decode(chunk));
}

async function vorbis(file: FileHandle, meter: PeakMeter) {
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  const hear = oneAfterAnother(meter);
  for await (const chunk of chunksOf(file)) hear(await decoder.decode(chunk));
  hear(await decoder.flush());
}

/** Frame by frame: fed arbitrary slices of the file, it loses frames at their boundaries. */
async function flac(track: Track, meter: PeakMeter) {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  const decoder = new FLACDecoder();
  await decoder.ready;
  for await (const packet of track.packets()) {
    hearAt(meter, await decoder.decodeFrames([packet.data]), packet.timestamp);
  }
}

async function opus(track: Track, meter: PeakMeter) {
  const { OpusDecoder } = await import('opus-decoder');
  const decoder = new OpusDecoder({ channels: track.channels });
  await decoder.ready;
  // Timestamps in Ogg and MP4 exclude the priming samples; in WebM they include them.
  const priming = track.kind === 'webm' ? opusPriming(track.description) : 0;
  let first: number | undefined;
  for await (const packet of track.packets()) {
    first ??= Math.max(0, packet.timestamp);
    hearAt(meter, decoder.decodeFrame(packet.data), packet.timestamp - first - priming);
  }
}

/** In seconds, from the 'OpusHead' header, which counts at 48 kHz whatever the sample rate. */
function opusPriming(head: Uint8Array | null): number {
  return head && head.length >= 12 ? (head[10]! + head[11]! * 256) / 48_000 : 0;
}

function oneAfterAnother(meter: PeakMeter): (decoded: Decoded) => void {
  let at = 0;
  return (decoded) => {
    if (decoded.samplesDecoded === 0) return;
    hearAt(meter, decoded, at);
    at += decoded.samplesDecoded / decoded.sampleRate;
  };
}

function hearAt(meter: PeakMeter, decoded: Decoded, start: number): void {
  for (const channel of decoded.channelData) meter.hear(channel, 1, decoded.sampleRate, start);
}

async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; ; at += CHUNK) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* dataOf(track: Track): AsyncGenerator<Uint8Array, void> {
  for await (const packet of track.packets()) yield packet.data;
}
