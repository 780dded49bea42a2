import type { FileHandle } from 'node:fs/promises';
import { createBufferedReader } from './buffered-reader.ts';

/**
 * A patch that repairs a file when it is read: `bytes` replaces the bytes at offset `at`, and the file ends at
 * `end`.
 */
export type FilePatch = { at: number; bytes: Uint8Array; end: number };

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const MAX_HEADER_BYTES = 12;
/**
 * Maximum number of elements that are read, enough for hours of blocks. Without a limit, an endless list of
 * empty elements would keep the process busy.
 */
const MAX_ELEMENTS = 2_000_000;

/**
 * Creates the patch that repairs a truncated WebM file. Such a file ends inside a block, in a cluster that
 * declares more bytes than are left. mediabunny would drop the whole cluster, which may be the entire
 * recording. With the patch, the file ends after the last complete block, and the size of the cluster is
 * correct.
 * @returns null if the file is not truncated, or if it ends before the first cluster
 */
export async function createTruncatedWebmPatch(file: FileHandle): Promise<FilePatch | null> {
  const { size: fileSize } = await file.stat();
  const headerAt = createHeaderReader(file);
  let cluster: { sizeAt: number; sizeWidth: number; content: number } | undefined;
  let at = 0;
  for (let count = 0; count < MAX_ELEMENTS && at < fileSize; count++) {
    const header = await headerAt(at);
    // If the file ends inside a header, `header` is null although bytes are left.
    const end = header && !header.unknown ? header.content + header.size : at;
    const torn = !header || end > fileSize;
    if (header?.id === SEGMENT) at = header.content;
    else if (header?.id === CLUSTER && (torn || header.unknown)) {
      cluster = { sizeAt: header.sizeAt, sizeWidth: header.content - header.sizeAt, content: header.content };
      at = header.content;
    } else if (torn || header.unknown) {
      if (!cluster) return null;
      return { at: cluster.sizeAt, bytes: encodeSize(at - cluster.content, cluster.sizeWidth), end: at };
    } else at = end;
  }
  return null;
}

type Header = { id: number; sizeAt: number; size: number; unknown: boolean; content: number };

function createHeaderReader(file: FileHandle): (at: number) => Promise<Header | null> {
  const bytesAt = createBufferedReader(file);
  return async (at) => {
    const bytes = await bytesAt(at, MAX_HEADER_BYTES);
    const id = parseVarint(bytes, 0, true);
    const size = id && parseVarint(bytes, id.width, false);
    if (!size) return null;
    const sizeAt = at + id.width;
    const unknown = size.value === 2 ** (7 * size.width) - 1;
    return { id: id.value, sizeAt, size: size.value, unknown, content: sizeAt + size.width };
  };
}

/**
 * Parses an EBML varint. Its length is given by the leading zero bits of the first byte.
 * @returns null if the varint is incomplete or invalid
 */
function parseVarint(
  bytes: Buffer,
  at: number,
  withMarker: boolean,
): { value: number; width: number } | null {
  const first = bytes[at] ?? 0;
  const width = Math.clz32(first) - 23;
  if (width > 8 || at + width > bytes.length) return null;
  let value = withMarker ? first : first & (0xff >> width);
  for (let i = 1; i < width; i++) value = value * 256 + bytes[at + i]!;
  return { value, width };
}

function encodeSize(size: number, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  for (let i = width - 1, rest = size; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256;
  bytes[0]! |= 0x80 >> (width - 1);
  return bytes;
}
