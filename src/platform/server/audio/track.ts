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
} from 'mediabunny';
import { measureMp3 } from './mp3.ts';
import * as refuse from './refusals.ts';
import { withinBounds, type AudioKind } from './rules.ts';
import { sourceOf } from './source.ts';
import { mendTornWebm } from './webm.ts';

type ContainerKind = Exclude<AudioKind, 'wav'>;

/** The sound track of a container, found playable by what its header says. */
export type Track = {
  kind: ContainerKind;
  codec: AudioCodec;
  channels: number;
  /** The codec's own header, as the container keeps it. */
  description: Uint8Array | null;
  /** The packets that really are in the file, in order; stops quietly where the file is torn. */
  packets: () => AsyncGenerator<EncodedPacket, void>;
  /** Seconds that the header claims; null: it claims nothing. */
  claimedSeconds: number | null;
};

/** What Chromium and Firefox both play, by container. */
const playable: Record<ContainerKind, readonly AudioCodec[]> = {
  mp3: ['mp3'],
  m4a: ['aac', 'mp3', 'opus', 'flac'],
  ogg: ['opus', 'vorbis'],
  webm: ['opus', 'vorbis'],
  flac: ['flac'],
  aac: ['aac'],
};

/** AAC-LC, HE-AAC and HE-AAC v2, or MPEG-2's AAC-LC; no browser on Linux plays the other profiles. */
const PLAYABLE_AAC = /^mp4a\.(40\.(0?2|0?5|29)|67)$/;

/** ID3 tags and sync bytes stand before MP3 and raw AAC alike. */
const formats: Record<ContainerKind, InputFormat[]> = {
  mp3: [MP3, ADTS],
  m4a: [MP4],
  ogg: [OGG],
  webm: [WEBM],
  flac: [FLAC],
  aac: [ADTS],
};

/**
 * Reads a container's header, and no sound yet.
 * @throws AppError 415 a moving picture, a codec that browsers do not play, absurd rates, nothing to read;
 *   anything else that it throws means a broken file too
 */
export async function openTrack(file: FileHandle, sniffed: ContainerKind): Promise<Track> {
  const source = await sourceOf(file, sniffed === 'webm' ? await mendTornWebm(file) : null);
  const input = new Input({ formats: formats[sniffed], source });
  const kind = (await input.getFormat()) === ADTS ? 'aac' : sniffed;

  if ((await input.getVideoTracks()).length > 0) throw refuse.movingPicture();
  if (kind === 'ogg' && (await hasTheora(file))) throw refuse.movingPicture();
  const [track] = await input.getAudioTracks();
  // mediabunny passes over streams in Ogg that it has no name for (Speex, FLAC, …).
  if (!track) throw kind === 'ogg' ? refuse.unplayableCodec() : refuse.broken();

  if ((await track.getInternalCodecId()) === 'alac') throw refuse.appleLossless();
  const codec = await track.getCodec();
  if (!codec || !playable[kind].includes(codec)) throw refuse.unplayableCodec();
  if (codec === 'aac' && !PLAYABLE_AAC.test((await track.getCodecParameterString()) ?? '')) {
    throw refuse.unplayableCodec();
  }
  const channels = await track.getNumberOfChannels();
  if (!withinBounds(await track.getSampleRate(), channels)) throw refuse.broken();

  return {
    kind,
    codec,
    channels,
    description: bytesOf(await track.getDecoderConfig()),
    packets: () => packetsOf(track),
    // Of an MP3 without a Xing frame it is a guess from the first frame, six times too long at worst.
    claimedSeconds: kind === 'mp3' ? null : await track.getDurationFromMetadata(),
  };
}

/**
 * Goes through every packet for the true length.
 * @returns seconds, 0: no packet at all; and whether it is an MP3 whose frames differ in bit rate
 * @throws AppError 400 as soon as the sound passes `maxSeconds`; 415 MPEG layers I and II
 */
export async function measure(
  track: Track,
  file: FileHandle,
  maxSeconds: number,
): Promise<{ seconds: number; vbr: boolean }> {
  if (track.kind === 'mp3') return measureMp3(file, maxSeconds);
  let start: number | undefined;
  let end = 0;
  for await (const packet of track.packets()) {
    start ??= Math.max(0, packet.timestamp);
    end = Math.max(end, packet.timestamp + packet.duration);
    if (end - start > maxSeconds) throw refuse.tooLong(maxSeconds);
  }
  return { seconds: end - (start ?? 0), vbr: false };
}

/** What is used of WebCodecs' AudioDecoderConfig, a type that only browsers' libraries declare. */
type DecoderConfig = { description?: ArrayBuffer | ArrayBufferView };

function bytesOf(config: DecoderConfig | null): Uint8Array | null {
  const source = config?.description;
  if (!source) return null;
  if (!ArrayBuffer.isView(source)) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

async function* packetsOf(track: InputAudioTrack): AsyncGenerator<EncodedPacket, void> {
  // Not by its packets(), which reads ahead and is ten times slower over small packets.
  const sink = new EncodedPacketSink(track);
  let packet = await sink.getFirstPacket();
  while (packet) {
    yield packet;
    // In the middle of an Ogg page that is torn off, mediabunny says 'Assertion failed.'
    packet = await sink.getNextPacket(packet).catch(() => null);
  }
}

async function hasTheora(file: FileHandle): Promise<boolean> {
  // Every stream's first page comes before any sound.
  const { buffer } = await file.read(Buffer.alloc(16_384), 0, 16_384, 0);
  return buffer.includes('\x80theora', 0, 'latin1');
}
