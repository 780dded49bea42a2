import type { FileHandle } from 'node:fs/promises';
import type { Listener } from './listener.ts';
import type { Track } from './track.ts';

const CHUNK = 65_536;
/**
 * Maximum number of console errors during one decoding: mpg123-decoder repeats some errors forever and reports them
 * only through console.error.
 */
const MOST_COMPLAINTS = 500;

type Decoded = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number };

/**
 * Decodes in this process, with decoders compiled to WebAssembly, and feeds the samples to the listener. If a
 * decoder throws over a truncated or malformed file, decoding ends and the samples so far count.
 * @returns false if there is no decoder for this codec (AAC; Vorbis in WebM; Opus with more than two channels)
 */
export async function decodeWithWasm(file: FileHandle, track: Track, listener: Listener): Promise<boolean> {
  const decode = chooseDecoder(file, track);
  if (!decode) return false;
  /* oxlint-disable no-console -- counts the decoders' own console errors */
  const log = console.error;
  let complaints = 0;
  console.error = () => {
    if (++complaints > MOST_COMPLAINTS) throw new Error('The decoder makes no progress.');
  };
  try {
    await decode(listener);
  } catch {
    // The samples decoded so far count.
  } finally {
    console.error = log;
    /* oxlint-enable no-console */
  }
  return true;
}

function chooseDecoder(file: FileHandle, track: Track): ((listener: Listener) => Promise<void>) | null {
  if (track.codec === 'mp3')
    return (listener) => mp3(track.kind === 'mp3' ? chunksOf(file) : dataOf(track), listener);
  if (track.codec === 'flac') return (listener) => flac(track, listener);
  if (track.codec === 'opus' && track.channels <= 2) return (listener) => opus(track, listener);
  if (track.codec === 'vorbis' && track.kind === 'ogg') return (listener) => vorbis(file, listener);
  return null;
}

async function mp3(chunks: AsyncIterable<Uint8Array>, listener: Listener) {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const hear = oneAfterAnother(listener);
  for await (const chunk of chunks) hear(decoder.decode(chunk));
}

async function vorbis(file: FileHandle, listener: Listener) {
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  const hear = oneAfterAnother(listener);
  for await (const chunk of chunksOf(file)) hear(await decoder.decode(chunk));
  hear(await decoder.flush());
}

/** Decodes frame by frame: the decoder loses frames at the boundaries of arbitrary slices of the file. */
async function flac(track: Track, listener: Listener) {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  const decoder = new FLACDecoder();
  await decoder.ready;
  for await (const packet of track.packets()) {
    hearAt(listener, await decoder.decodeFrames([packet.data]), packet.timestamp);
  }
}

async function opus(track: Track, listener: Listener) {
  const { OpusDecoder } = await import('opus-decoder');
  const decoder = new OpusDecoder({ channels: track.channels });
  await decoder.ready;
  // Timestamps in Ogg and MP4 exclude the priming samples; in WebM they include them.
  const priming = track.kind === 'webm' ? opusPriming(track.description) : 0;
  let first: number | undefined;
  for await (const packet of track.packets()) {
    first ??= Math.max(0, packet.timestamp);
    hearAt(listener, decoder.decodeFrame(packet.data), packet.timestamp - first - priming);
  }
}

/** Returns the priming in seconds, from the 'OpusHead' header, which always counts at 48 kHz. */
function opusPriming(head: Uint8Array | null): number {
  return head && head.length >= 12 ? (head[10]! + head[11]! * 256) / 48_000 : 0;
}

function oneAfterAnother(listener: Listener): (decoded: Decoded) => void {
  let at = 0;
  return (decoded) => {
    if (decoded.samplesDecoded === 0) return;
    hearAt(listener, decoded, at);
    at += decoded.samplesDecoded / decoded.sampleRate;
  };
}

function hearAt(listener: Listener, { channelData, sampleRate }: Decoded, start: number): void {
  const [first, ...others] = channelData;
  if (!first) return;
  if (others.length === 0) return listener.hear(first, 1, sampleRate, start);
  const channels = channelData.length;
  const interleaved = new Float32Array(first.length * channels);
  for (const [channel, samples] of channelData.entries())
    for (let n = 0; n < samples.length; n++) interleaved[n * channels + channel] = samples[n]!;
  listener.hear(interleaved, channels, sampleRate, start);
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
