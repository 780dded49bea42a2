/** The kinds of audio file that browsers play and that can be told apart by their first bytes. */
export type AudioFileKind = 'mp3' | 'wav' | 'm4a' | 'ogg' | 'webm' | 'flac' | 'aac';

/**
 * Maximum padding before the first MP3 frame, in bytes. Some encoders write padding, and browsers skip up to
 * this much.
 */
export const MAX_MP3_PADDING_BYTES = 4096;

/**
 * Returns the kind of file that the first bytes suggest, or null if they fit no kind that browsers play. The
 * container is not parsed, so the file may still turn out to be damaged or something else. A file with an ID3
 * tag counts as MP3, although raw AAC may follow the tag. Only the server's parser detects that.
 *
 * The server uses this rule, and so does the browser, which can reject a file before sending it.
 * @param beginning the first {@link MAX_MP3_PADDING_BYTES} bytes or more, or all of a shorter file
 */
export function detectAudioKind(beginning: Uint8Array): AudioFileKind | null {
  const head = beginning.subarray(0, MAX_MP3_PADDING_BYTES);
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));

  if (text(0, 4) === 'RIFF') return text(8, 12) === 'WAVE' ? 'wav' : null;
  if (text(4, 8) === 'ftyp' || text(4, 8) === 'styp') return text(8, 12) === 'qt  ' ? null : 'm4a';
  if (text(0, 4) === 'OggS') return 'ogg';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 4) === '\x1a\x45\xdf\xa3') return text(4, 64).includes('webm') ? 'webm' : null;
  if (text(0, 3) === 'ID3') return 'mp3';

  const first = head.findIndex((byte) => byte !== 0);
  const [sync = 0, layer = 0] = head.subarray(first === -1 ? head.length : first);
  if (sync !== 0xff) return null;
  if ((layer & 0b1111_0110) === 0b1111_0000) return 'aac';
  return (layer & 0b1110_0000) === 0b1110_0000 ? 'mp3' : null;
}
