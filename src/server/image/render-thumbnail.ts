import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import * as refuse from './errors.ts';

// Runs sharp with one thread and without a cache. Pictures are rare here, so the memory is better used
// elsewhere.
sharp.cache(false);
sharp.concurrency(1);

/** Maximum number of pixels: those of a phone with 50 megapixels. A decompression bomb claims far more. */
const MAX_PIXELS = 8192 * 6144;

/**
 * Accepted kinds of pictures. `decoder` is sharp's name for the kind. If sharp would decode a file as a
 * different kind than its first bytes indicate, the file is rejected.
 */
const IMAGE_KINDS = [
  { starts: /^\xff\xd8\xff/, decoder: 'jpeg' },
  { starts: /^\x89PNG\r\n/, decoder: 'png' },
  { starts: /^RIFF[^]{4}WEBP/, decoder: 'webp' },
  { starts: /^GIF8[79]a/, decoder: 'gif' },
  // Accepts 'mif1', which some AVIF encoders write first. iPhones write it too, in HEVC photos, which are
  // rejected below.
  { starts: /^[^]{4}ftyp(avif|avis|mif1)/, decoder: 'heif' },
] as const;

/** Maximum width of a thumbnail, in px: twice the width of a card, for high-density screens. */
const WIDTH = 960;
const QUALITY = 78;

export type ThumbnailFacts = { contentType: 'image/webp'; width: number; height: number };

/**
 * Renders the thumbnail of a picture and writes it to `output`. Sets no time or memory limit itself, so it
 * must run in a process that has such limits.
 * @param output descriptor of a file opened for writing
 * @throws AppError 'unsupported-media' (415)
 */
export async function renderThumbnail(inputPath: string, output: number): Promise<ThumbnailFacts> {
  const image = await openImage(inputPath);
  const { data, info } = await rethrowAsBroken(() =>
    image
      .autoOrient()
      .resize({ width: WIDTH, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true }),
  );
  writeFileSync(output, data);
  return { contentType: 'image/webp', width: info.width, height: info.height };
}

/**
 * Opens a picture with sharp and checks its header.
 * @throws AppError 'unsupported-media' (415) if the file is of another kind (such as SVG), is broken, or has
 * too many pixels
 */
export async function openImage(path: string): Promise<Sharp> {
  const head = await readFirstBytes(path);
  // Rejects files of other kinds by their first bytes, because sharp would also decode SVG, TIFF and more.
  const kind = IMAGE_KINDS.find(({ starts }) => starts.test(head));
  if (!kind) throw refuse.createNotAnImageError();
  const image = sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
  const { format, compression, width, height } = await rethrowAsBroken(() => image.metadata());
  if (format !== kind.decoder || (kind.decoder === 'heif' && compression !== 'av1'))
    throw refuse.createBrokenImageError();
  if (width * height > MAX_PIXELS) throw refuse.createImageTooLargeError();
  return image;
}

/**
 * Runs sharp, and replaces its errors with errors for the user. All of them mean that the picture is broken or
 * too large.
 */
async function rethrowAsBroken<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    // sharp throws this error before it decodes a picture that has too many pixels.
    throw /pixel limit/i.test(String(error))
      ? refuse.createImageTooLargeError()
      : refuse.createBrokenImageError();
  }
}

async function readFirstBytes(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead);
}
