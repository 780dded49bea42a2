/** A track of an MP4 file: its handler, such as 'soun' or 'vide', and its codec, such as 'mp4a' or 'avc1'. */
export type Mp4Track = { handler: string; codec: string };

/**
 * Maximum number of boxes to read in a list. Real files have a handful. The limit keeps a crafted file with
 * countless empty boxes from blocking the page.
 */
const MAX_BOXES = 1_000;

/** Maximum size of the index (the `moov` box), in bytes. For half an hour of audio, it takes about 100 KB. */
const MAX_INDEX_BYTES = 4 * 1024 * 1024;

/**
 * Returns the tracks of an MP4 file from its index, wherever the index is in the file. Returns an empty list if
 * the index is missing, unreadable or larger than MAX_INDEX_BYTES. Does not read the audio itself.
 */
export async function readMp4Tracks(file: Blob): Promise<Mp4Track[]> {
  let at = 0;
  for (let count = 0; count < MAX_BOXES && at < file.size; count += 1) {
    const box = readBox(await readView(file, at, at + 16), 0, file.size - at);
    if (!box) return [];
    if (box.type === 'moov') {
      if (box.end > MAX_INDEX_BYTES) return [];
      const index = await readView(file, at + box.start, at + box.end);
      return listBoxes(index, { start: 0, end: index.byteLength }, 'trak').map((track) =>
        readTrack(index, track),
      );
    }
    at += box.end;
  }
  return [];
}

/** Start and end of a box's content. */
type Span = { start: number; end: number };
type Box = Span & { type: string };

const readView = async (file: Blob, from: number, to: number) =>
  new DataView(await file.slice(from, to).arrayBuffer());

function readTrack(index: DataView, track: Span): Mp4Track {
  const media = findBox(index, track, 'mdia');
  const handler = findBox(index, media, 'hdlr');
  const table = findBox(index, findBox(index, findBox(index, media, 'minf'), 'stbl'), 'stsd');
  // Skips 8 bytes in 'hdlr' (version, flags and a predefined field), and 12 bytes in 'stsd' (version, flags,
  // the number of entries and the size of the first entry).
  return {
    handler: handler ? readText(index, handler.start + 8) : '',
    codec: table ? readText(index, table.start + 12) : '',
  };
}

const findBox = (index: DataView, parent: Span | undefined, type: string) =>
  parent && listBoxes(index, parent, type)[0];

function listBoxes(index: DataView, { start, end }: Span, type: string): Box[] {
  const found: Box[] = [];
  let at = start;
  for (let count = 0; count < MAX_BOXES && at < end; count += 1) {
    const box = readBox(index, at, end);
    if (!box) break;
    if (box.type === type) found.push(box);
    at = box.end;
  }
  return found;
}

/**
 * Returns the box that begins at `at`; null if it is incomplete or invalid. Handles the two special sizes: 1
 * means that a 64-bit size follows, and 0 that the box extends to `limit`.
 */
function readBox(view: DataView, at: number, limit: number): Box | null {
  if (at + 8 > view.byteLength) return null;
  const short = view.getUint32(at);
  if (short === 1 && at + 16 > view.byteLength) return null;
  const header = short === 1 ? 16 : 8;
  const size = short === 0 ? limit - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short;
  // Rejects only a box that is smaller than its header. A box may end after `limit`, because a truncated file
  // ends in the middle of its last box.
  if (size < header) return null;
  return { type: readText(view, at + 4), start: at + header, end: Math.min(at + size, limit) };
}

const readText = (view: DataView, at: number) =>
  at + 4 > view.byteLength
    ? ''
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, 4));
