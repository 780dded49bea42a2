import type { FileHandle } from 'node:fs/promises';
import {
  ADTS,
  EncodedPacketSink,
  FLAC,
  Input,
  MP3,
  MP4,
  OGG,
  WEBM,
  type AudioCodec,
  type EncodedPacket,
  type InputAudioTrack,
  type InputFormat,
  CustomSource,
} from 'mediabunny';
import { measureMp3Duration } from './mp3.ts';
import { isDecodableAudio, type AudioKind } from '../rules.ts';
import { createTruncatedWebmPatch, type FilePatch } from './webm.ts';
import * as refuse from '../errors.ts';

type ContainerKind = Exclude<AudioKind, 'wav'>;

/** An audio track that is playable according to the container's header. */
export type AudioTrack = {
  kind: ContainerKind;
  codec: AudioCodec;
  channels: number;
  /** The codec's header, as stored in the container. */
  description: Uint8Array | null;
  /**
   * Yields the packets that the file actually contains, in order. A truncated file yields only its intact
   * packets, without an error.
   */
  packets: () => AsyncGenerator<EncodedPacket, void>;
  /** Duration declared in the header, in seconds; null if there is none. */
  claimedSeconds: number | null;
};

/** Codecs that both Chromium and Firefox play, by container. */
const playableCodecs: Record<ContainerKind, readonly AudioCodec[]> = {
  mp3: ['mp3'],
  m4a: ['aac', 'mp3', 'opus', 'flac'],
  ogg: ['opus', 'vorbis'],
  webm: ['opus', 'vorbis'],
  flac: ['flac'],
  aac: ['aac'],
};

/**
 * Matches the codec strings of AAC-LC, HE-AAC, HE-AAC v2 and MPEG-2 AAC-LC. No browser on Linux plays the
 * other profiles.
 */
const PLAYABLE_AAC = /^mp4a\.(40\.(0?2|0?5|29)|67)$/;

/**
 * Formats to try for each detected kind. MP3 and raw AAC can't be told apart by their first bytes, because both
 * start with ID3 tags or sync bytes.
 */
const formats: Record<ContainerKind, InputFormat[]> = {
  mp3: [MP3, ADTS],
  m4a: [MP4],
  ogg: [OGG],
  webm: [WEBM],
  flac: [FLAC],
  aac: [ADTS],
};

/**
 * Opens the first audio track of a container from its headers, without walking through all packets.
 * @throws AppError 415 for video, an unplayable codec, invalid rates or an unreadable file. Any other error
 * also means a broken file.
 */
export async function openAudioTrack(file: FileHandle, sniffed: ContainerKind): Promise<AudioTrack> {
  const source = await createSource(file, sniffed === 'webm' ? await createTruncatedWebmPatch(file) : null);
  const input = new Input({ formats: formats[sniffed], source });
  const kind = (await input.getFormat()) === ADTS ? 'aac' : sniffed;

  if ((await input.getVideoTracks()).length > 0) throw refuse.createVideoFileError();
  if (kind === 'ogg' && (await hasTheora(file))) throw refuse.createVideoFileError();
  const [track] = await input.getAudioTracks();
  // A missing Ogg track may have a codec that mediabunny skips (Speex, FLAC, …).
  if (!track) throw kind === 'ogg' ? refuse.createUnplayableCodecError() : refuse.createBrokenAudioError();

  if ((await track.getInternalCodecId()) === 'alac') throw refuse.createAppleLosslessError();
  const codec = await track.getCodec();
  if (!codec || !playableCodecs[kind].includes(codec)) throw refuse.createUnplayableCodecError();
  if (codec === 'aac' && !PLAYABLE_AAC.test((await track.getCodecParameterString()) ?? '')) {
    throw refuse.createUnplayableCodecError();
  }
  const channels = await track.getNumberOfChannels();
  if (!isDecodableAudio(await track.getSampleRate(), channels)) throw refuse.createBrokenAudioError();

  return {
    kind,
    codec,
    channels,
    description: getDescriptionBytes(await track.getDecoderConfig()),
    packets: () => readPackets(track),
    // Ignores the value for an MP3. Without a Xing frame, it would be an estimate from the first frame, up to
    // six times too long.
    claimedSeconds: kind === 'mp3' ? null : await track.getDurationFromMetadata(),
  };
}

/**
 * Measures the real duration by walking through all packets.
 * @returns duration in seconds (0 if there are no packets), and whether the file is an MP3 of variable bit rate
 * @throws AppError 400 as soon as the duration exceeds `maxSeconds`; 415 for MPEG layers I and II
 */
export async function measureTrackDuration(
  track: AudioTrack,
  file: FileHandle,
  maxSeconds: number,
): Promise<{ seconds: number; vbr: boolean }> {
  if (track.kind === 'mp3') return measureMp3Duration(file, maxSeconds);
  let start: number | undefined;
  let end = 0;
  for await (const packet of track.packets()) {
    start ??= Math.max(0, packet.timestamp);
    end = Math.max(end, packet.timestamp + packet.duration);
    if (end - start > maxSeconds) throw refuse.createAudioTooLongError(maxSeconds);
  }
  return { seconds: end - (start ?? 0), vbr: false };
}

/**
 * The part of WebCodecs' AudioDecoderConfig that is used here. The type is declared only in the DOM library.
 */
type DecoderConfig = { description?: ArrayBuffer | ArrayBufferView };

function getDescriptionBytes(config: DecoderConfig | null): Uint8Array | null {
  const source = config?.description;
  if (!source) return null;
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

async function* readPackets(track: InputAudioTrack): AsyncGenerator<EncodedPacket, void> {
  // Requests packets one by one. The sink's own iterator, packets(), reads ahead and is ten times slower with
  // small packets.
  const sink = new EncodedPacketSink(track);
  let packet = await sink.getFirstPacket();
  while (packet) {
    yield packet;
    // mediabunny throws 'Assertion failed.' at a truncated Ogg page, which counts as the end of the file.
    packet = await sink.getNextPacket(packet).catch(() => null);
  }
}

async function hasTheora(file: FileHandle): Promise<boolean> {
  // Reads only the beginning, because the first pages of all streams come before any audio.
  const { buffer } = await file.read(Buffer.alloc(16_384), 0, 16_384, 0);
  return buffer.includes('\x80theora', 0, 'latin1');
}

/** Wraps an open file, with the patch if there is one, as a mediabunny source. The caller closes the file. */
async function createSource(file: FileHandle, mended: FilePatch | null): Promise<CustomSource> {
  const { size } = await file.stat();
  return new CustomSource({
    getSize: () => mended?.end ?? size,
    read: async (start, end) => {
      const bytes = new Uint8Array(end - start);
      await file.read(bytes, 0, bytes.length, start);
      if (mended) applyRepair(bytes, start, mended);
      return bytes;
    },
    prefetchProfile: 'fileSystem',
  });
}

function applyRepair(bytes: Uint8Array, start: number, mended: FilePatch): void {
  for (const [i, byte] of mended.bytes.entries()) {
    const position = mended.at + i - start;
    if (position >= 0 && position < bytes.length) bytes[position] = byte;
  }
}
