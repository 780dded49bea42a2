import type { FileHandle } from 'node:fs/promises';
import type { SampleListener } from './sample-listener.ts';
import type { AudioTrack } from './audio-track.ts';

const CHUNK_BYTES = 65_536;
/**
 * Maximum number of console errors while a file is being decoded. mpg123-decoder repeats some errors forever,
 * and reports them only through console.error.
 */
const MAX_CONSOLE_ERRORS = 500;

type DecodedChunk = { channelData: Float32Array[]; samplesDecoded: number; sampleRate: number };

/**
 * Decodes a file in this process, with decoders compiled to WebAssembly, and passes the samples to the
 * listener. If a decoder throws because of a truncated or malformed file, decoding stops, and the samples
 * decoded so far are used.
 * @returns false if there is no decoder for this codec (AAC; Vorbis in WebM; Opus with more than two channels)
 */
export async function decodeWithWasm(
  file: FileHandle,
  track: AudioTrack,
  listener: SampleListener,
): Promise<boolean> {
  const decode = chooseDecoder(file, track);
  if (!decode) return false;
  /* oxlint-disable no-console -- counts the decoders' own console errors */
  const log = console.error;
  let complaints = 0;
  console.error = () => {
    if (++complaints > MAX_CONSOLE_ERRORS) throw new Error('The decoder makes no progress.');
  };
  try {
    await decode(listener);
  } catch {
    // Ignored, because the samples decoded before the error are used.
  } finally {
    console.error = log;
    /* oxlint-enable no-console */
  }
  return true;
}

function chooseDecoder(
  file: FileHandle,
  track: AudioTrack,
): ((listener: SampleListener) => Promise<void>) | null {
  if (track.codec === 'mp3')
    return (listener) => decodeMp3(track.kind === 'mp3' ? readChunks(file) : readPackets(track), listener);
  if (track.codec === 'flac') return (listener) => decodeFlac(track, listener);
  if (track.codec === 'opus' && track.channels <= 2) return (listener) => decodeOpus(track, listener);
  if (track.codec === 'vorbis' && track.kind === 'ogg') return (listener) => decodeVorbis(file, listener);
  return null;
}

async function decodeMp3(chunks: AsyncIterable<Uint8Array>, listener: SampleListener) {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const hear = createSequentialSink(listener);
  for await (const chunk of chunks) hear(decoder.decode(chunk));
}

async function decodeVorbis(file: FileHandle, listener: SampleListener) {
  const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  const hear = createSequentialSink(listener);
  for await (const chunk of readChunks(file)) hear(await decoder.decode(chunk));
  hear(await decoder.flush());
}

/** Decodes FLAC frame by frame, because the decoder loses frames that are split between two chunks. */
async function decodeFlac(track: AudioTrack, listener: SampleListener) {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  const decoder = new FLACDecoder();
  await decoder.ready;
  for await (const packet of track.packets()) {
    passSamples(listener, await decoder.decodeFrames([packet.data]), packet.timestamp);
  }
}

async function decodeOpus(track: AudioTrack, listener: SampleListener) {
  const { OpusDecoder } = await import('opus-decoder');
  const decoder = new OpusDecoder({ channels: track.channels });
  await decoder.ready;
  // Seconds to subtract from the timestamps, which include the priming samples in WebM, but not in Ogg and MP4.
  const priming = track.kind === 'webm' ? getOpusPriming(track.description) : 0;
  let first: number | undefined;
  for await (const packet of track.packets()) {
    first ??= Math.max(0, packet.timestamp);
    passSamples(listener, decoder.decodeFrame(packet.data), packet.timestamp - first - priming);
  }
}

/**
 * Returns the duration of the priming samples in seconds. The 'OpusHead' header gives their number at 48 kHz.
 */
function getOpusPriming(head: Uint8Array | null): number {
  return head && head.length >= 12 ? (head[10]! + head[11]! * 256) / 48_000 : 0;
}

function createSequentialSink(listener: SampleListener): (decoded: DecodedChunk) => void {
  let at = 0;
  return (decoded) => {
    if (decoded.samplesDecoded === 0) return;
    passSamples(listener, decoded, at);
    at += decoded.samplesDecoded / decoded.sampleRate;
  };
}

function passSamples(
  listener: SampleListener,
  { channelData, sampleRate }: DecodedChunk,
  start: number,
): void {
  const [first, ...others] = channelData;
  if (!first) return;
  if (others.length === 0) return listener.add(first, 1, sampleRate, start);
  const channels = channelData.length;
  const interleaved = new Float32Array(first.length * channels);
  for (const [channel, samples] of channelData.entries())
    for (let n = 0; n < samples.length; n++) interleaved[n * channels + channel] = samples[n]!;
  listener.add(interleaved, channels, sampleRate, start);
}

async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; ; at += CHUNK_BYTES) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* readPackets(track: AudioTrack): AsyncGenerator<Uint8Array, void> {
  for await (const packet of track.packets()) yield packet.data;
}
