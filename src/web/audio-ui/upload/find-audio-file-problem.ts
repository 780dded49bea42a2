import { detectAudioKind } from '#shared/audio-kind.ts';
import {
  APPLE_LOSSLESS_MESSAGE,
  EMPTY_FILE_MESSAGE,
  VIDEO_FILE_MESSAGE,
  NOT_AUDIO_MESSAGE,
} from '#shared/audio-rejections.ts';
import { detectNonAudioKind, getNonAudioFileMessage } from './non-audio-kind.ts';
import { readMp4Tracks } from './mp4-tracks.ts';

/**
 * Number of bytes to inspect, as on the server. All streams of an Ogg file begin within this range.
 */
const HEAD_BYTES = 16_384;

/**
 * Returns why the server would reject a file, if that is certain before sending; null leaves the decision to
 * the server. Never rejects a file that the server would accept.
 */
export async function findAudioFileProblem(file: Blob): Promise<string | null> {
  if (file.size === 0) return EMPTY_FILE_MESSAGE;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const other = detectNonAudioKind(head);
  if (other) return getNonAudioFileMessage(other);
  const kind = detectAudioKind(head);
  if (kind === null) return NOT_AUDIO_MESSAGE;
  if (kind === 'm4a') return explainMp4Rejection(file);
  if (VIDEO_MARKERS[kind]?.test(decodeLatin1(head))) return VIDEO_FILE_MESSAGE;
  return null;
}

async function explainMp4Rejection(file: Blob) {
  const tracks = await readMp4Tracks(file);
  if (tracks.some(({ handler, codec }) => handler === 'vide' && VIDEO_CODECS.has(codec)))
    return VIDEO_FILE_MESSAGE;
  return tracks.find(({ handler }) => handler === 'soun')?.codec === 'alac' ? APPLE_LOSSLESS_MESSAGE : null;
}

/** Video codecs to reject: H.264, H.265, VP8, VP9, AV1 and MPEG-4. Others are left to the server. */
const VIDEO_CODECS = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'vp08', 'vp09', 'av01', 'mp4v']);

/**
 * Byte patterns that reveal a video: in WebM, the codec of a video track; in Ogg, the header of a Theora
 * stream.
 */
const VIDEO_MARKERS: Partial<Record<string, RegExp>> = {
  webm: /\x86[\x80-\xff]V_(VP8|VP9|AV1)/,
  ogg: /\x80theora/,
};

// Does not use `TextDecoder('latin1')`, because that decodes windows-1252, which differs for some bytes.
const decodeLatin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
