/** What a file is that surely is no sound, as its first bytes say: the name may say anything. */
export type OtherKind = 'picture' | 'document' | 'web page' | 'archive';

/** Enough for every mark below. */
export const HEAD_BYTES = 64;

/**
 * Null for sound, and for all that is not known here: the server decides about those, films included.
 * @param head the first {@link HEAD_BYTES} bytes, or all of a shorter file
 */
export function otherKind(head: Uint8Array): OtherKind | null {
  const text = String.fromCharCode(...head);
  if (/^(?:\xff\xd8\xff|\x89PNG|GIF8|BM.{4}\0\0\0\0|II\*\0|MM\0\*|RIFF.{4}WEBP)/s.test(text))
    return 'picture';
  if (/^.{4}ftyp(?:heic|heix|mif1|avif)/s.test(text)) return 'picture';
  if (/^(?:%PDF-|\{\\rtf|\xd0\xcf\x11\xe0)/.test(text)) return 'document';
  if (/^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|\?xml|svg)/i.test(text)) return 'web page';
  if (/^(?:PK\x03\x04|PK\x05\x06|Rar!|7z\xbc\xaf|\x1f\x8b)/.test(text)) return 'archive';
  return null;
}

export const wrongKindSentence = (kind: OtherKind) =>
  `This file is ${articles[kind]}, not a sound. Please choose an MP3, WAV or M4A file.`;

const articles: Record<OtherKind, string> = {
  picture: 'a picture',
  document: 'a document',
  'web page': 'a web page',
  archive: 'an archive of files',
};
