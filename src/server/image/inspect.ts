import { open } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '#shared/errors.ts';

// One picture at a time and no cache: pictures are rare here, memory is better spent elsewhere.
sharp.cache(false);
sharp.concurrency(1);

export type ImageFacts = {
  /** Always one of five `image/*` types, determined from the bytes. */
  contentType: string;
  /** Without the dot. */
  extension: string;
  /** In pixels, as displayed (after rotation). */
  width: number;
  height: number;
};

/** More than any camera takes; a decompression bomb claims more. */
const MAX_PIXELS = 50_000_000;

/** `decoder` is sharp's name: a file decoded as anything but what its first bytes say is refused. */
const KINDS = [
  { starts: /^\xff\xd8\xff/, decoder: 'jpeg', contentType: 'image/jpeg', extension: 'jpg' },
  { starts: /^\x89PNG\r\n/, decoder: 'png', contentType: 'image/png', extension: 'png' },
  { starts: /^RIFF[^]{4}WEBP/, decoder: 'webp', contentType: 'image/webp', extension: 'webp' },
  { starts: /^GIF8[79]a/, decoder: 'gif', contentType: 'image/gif', extension: 'gif' },
  // Some AVIF encoders write 'mif1' first; so do iPhone photographs (HEVC), which are told apart below.
  { starts: /^[^]{4}ftyp(avif|avis|mif1)/, decoder: 'heif', contentType: 'image/avif', extension: 'avif' },
] as const;

const KINDS_IN_WORDS = 'a JPEG, PNG, WebP, GIF or AVIF';

/**
 * Determines from a file's header which kind of picture it is.
 * @throws AppError 'unsupported-media' (415): none of the five kinds (SVG is none), broken, or too many pixels
 */
export async function inspectImage(path: string): Promise<ImageFacts> {
  return (await openImage(path)).facts;
}

/** The same, and the picture ready for sharp to decode, with the same limits. */
export async function openImage(path: string): Promise<{ facts: ImageFacts; image: Sharp }> {
  const head = await firstBytes(path);
  // No decoder gets to see a file of another kind: sharp would try SVG, TIFF and more.
  const kind = KINDS.find(({ starts }) => starts.test(head));
  if (!kind) throw refuse(`This picture can’t be used. Please choose ${KINDS_IN_WORDS}.`);
  const image = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format, compression, autoOrient, width, height } = await orBroken(() => image.metadata());
  if (format !== kind.decoder || (kind.decoder === 'heif' && compression !== 'av1')) throw broken();
  if (width * height > MAX_PIXELS) throw refuse('This picture is too large. Please make it smaller first.');
  const { contentType, extension } = kind;
  return { facts: { contentType, extension, width: autoOrient.width, height: autoOrient.height }, image };
}

/** Whatever sharp throws over a picture means the same. */
export async function orBroken<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    // Thrown for too many pixels, before decoding.
    if (/pixel limit/i.test(String(error))) {
      throw refuse('This picture is too large. Please make it smaller first.');
    }
    throw broken();
  }
}

/** Decoding took more time or memory than it ever should. */
export const tooMuchWork = () => refuse(`This picture could not be read. Please choose ${KINDS_IN_WORDS}.`);

const refuse = (message: string) => new AppError('unsupported-media', message);
const broken = () => refuse(`This picture is damaged. Please choose ${KINDS_IN_WORDS}.`);

async function firstBytes(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
