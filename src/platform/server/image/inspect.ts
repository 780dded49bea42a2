import { open } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../../contract/errors.ts';

// One picture at a time and nothing kept: pictures are rare here, memory is not to be spent on them.
sharp.cache(false);
sharp.concurrency(1);

export type ImageFacts = {
  /** Always one of five `image/*` types, decided by the bytes. */
  contentType: string;
  /** Without the dot. */
  extension: string;
  /** In pixels, upright: as it is shown. */
  width: number;
  height: number;
};

/** Beyond what cameras make; a bomb claims more. */
const MAX_PIXELS = 50_000_000;

/** `decoder` is sharp's name: a file that is read as anything else than it began like is refused. */
const KINDS = [
  { starts: /^\xff\xd8\xff/, decoder: 'jpeg', contentType: 'image/jpeg', extension: 'jpg' },
  { starts: /^\x89PNG\r\n/, decoder: 'png', contentType: 'image/png', extension: 'png' },
  { starts: /^RIFF[^]{4}WEBP/, decoder: 'webp', contentType: 'image/webp', extension: 'webp' },
  { starts: /^GIF8[79]a/, decoder: 'gif', contentType: 'image/gif', extension: 'gif' },
  // 'mif1' is what some encoders of AVIF write first; photographs of iPhones (HEVC) do too, and are told apart below.
  { starts: /^[^]{4}ftyp(avif|avis|mif1)/, decoder: 'heif', contentType: 'image/avif', extension: 'avif' },
] as const;

const KINDS_IN_WORDS = 'a JPEG, PNG, WebP, GIF or AVIF';

/**
 * Finds out by its bytes what picture a file holds, from its header alone.
 * @throws AppError 'unsupported-media' (415): none of the five kinds (SVG is none), broken, or too many pixels
 */
export async function inspectImage(path: string): Promise<ImageFacts> {
  return (await openImage(path)).facts;
}

/** The same, and the picture ready for sharp to decode, within the same bounds. */
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

/** Whatever sharp throws over a picture means one thing. */
export async function orBroken<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    // Thrown where the pixels are many, before one is decoded.
    if (/pixel limit/i.test(String(error))) {
      throw refuse('This picture is too large. Please make it smaller first.');
    }
    throw broken();
  }
}

/** The picture took more time or memory to decode than any should. */
export const tooMuchWork = () => refuse(`This picture could not be read. Please choose ${KINDS_IN_WORDS}.`);

const refuse = (message: string) => new AppError('unsupported-media', message);
const broken = () => refuse(`This picture is damaged. Please choose ${KINDS_IN_WORDS}.`);

async function firstBytes(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
