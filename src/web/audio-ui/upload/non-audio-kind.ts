/**
 * Kinds of files that are certainly not audio, recognized by their first bytes, because a file's name can't be
 * trusted.
 */
export type NonAudioKind = 'picture' | 'document' | 'web page' | 'archive';

/** Number of bytes to inspect; enough for every magic number below. */
const HEAD_BYTES = 64;

/**
 * Returns the kind of a file that is not audio; null for audio and for unknown kinds.
 * @param beginning the first 64 bytes or more, or all of a shorter file
 */
export function detectNonAudioKind(beginning: Uint8Array): NonAudioKind | null {
  const text = String.fromCharCode(...beginning.subarray(0, HEAD_BYTES));
  const known = MAGIC_BYTES.find(([, mark, at = 0]) => text.startsWith(mark, at));
  if (known) return known[0];
  const words = text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase();
  return ['<!doctype', '<html', '<?xml', '<svg'].some((tag) => words.startsWith(tag)) ? 'web page' : null;
}

/** Magic bytes of these kinds; some are not at the start of the file. */
const MAGIC_BYTES: readonly (readonly [kind: NonAudioKind, mark: string, at?: number])[] = [
  ['picture', '\xff\xd8\xff'],
  ['picture', '\x89PNG'],
  ['picture', 'GIF8'],
  ['picture', 'II*\0'],
  ['picture', 'MM\0*'],
  ['picture', 'WEBP', 8],
  ['picture', 'ftypheic', 4],
  ['picture', 'ftypheix', 4],
  ['picture', 'ftypmif1', 4],
  ['picture', 'ftypavif', 4],
  ['document', '%PDF-'],
  ['document', '{\\rtf'],
  ['document', '\xd0\xcf\x11\xe0'],
  ['archive', 'PK\x03\x04'],
  ['archive', 'Rar!'],
  ['archive', '7z\xbc\xaf'],
  ['archive', '\x1f\x8b'],
];

export const getNonAudioFileMessage = (kind: NonAudioKind) =>
  `This file is ${articles[kind]}, not audio. Please choose an MP3, WAV or M4A file.`;

const articles: Record<NonAudioKind, string> = {
  picture: 'a picture',
  document: 'a document',
  'web page': 'a web page',
  archive: 'a compressed folder',
};
