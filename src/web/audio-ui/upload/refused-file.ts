import { audioKindOf } from '#shared/audio-kind.ts';
import { APPLE_LOSSLESS, EMPTY_FILE, MOVING_PICTURE, NOT_AUDIO } from '#shared/audio-refusals.ts';
import { otherKind, wrongKindSentence } from './known-kind.ts';
import { mp4Tracks } from './mp4-tracks.ts';

/** Every stream of an Ogg file begins within these bytes; the server looks for them there too. */
const HEAD_BYTES = 16_384;

/**
 * Returns why a file is refused, if that is certain before it is sent; null leaves it to the server, which has the
 * last word on audio. Never refuses a file that the server would accept.
 */
export async function refusalOf(file: Blob): Promise<string | null> {
  if (file.size === 0) return EMPTY_FILE;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const other = otherKind(head);
  if (other) return wrongKindSentence(other);
  const kind = audioKindOf(head);
  if (kind === null) return NOT_AUDIO;
  if (kind === 'm4a') return refusalOfMp4(file);
  if (FILM_MARKS[kind]?.test(latin1(head))) return MOVING_PICTURE;
  return null;
}

async function refusalOfMp4(file: Blob) {
  const tracks = await mp4Tracks(file);
  if (tracks.some(({ handler, codec }) => handler === 'vide' && FILM_CODECS.has(codec)))
    return MOVING_PICTURE;
  return tracks.find(({ handler }) => handler === 'soun')?.codec === 'alac' ? APPLE_LOSSLESS : null;
}

/** H.264, H.265, VP8, VP9, AV1 and MPEG-4; other video codecs are left to the server. */
const FILM_CODECS = new Set(['avc1', 'avc3', 'hvc1', 'hev1', 'vp08', 'vp09', 'av01', 'mp4v']);

/** In WebM, the element that names a track's codec; in Ogg, the first page of a stream. */
const FILM_MARKS: Partial<Record<string, RegExp>> = {
  webm: /\x86[\x80-\xff]V_(VP8|VP9|AV1)/,
  ogg: /\x80theora/,
};

// Not `TextDecoder('latin1')`: that decodes windows-1252, which differs for some bytes.
const latin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
