import { open } from 'node:fs/promises';
import sharp from 'sharp';
import { AppError } from '../../contract/errors.ts';

// One picture at a time and nothing kept: pictures are rare here, memory is not to be spent on them.
sharp.cache(false);
sharp.concurrency(1);

/** Twice the width of a card, for sharp screens. */
const WIDTH = 960;
const QUALITY = 78;
/** Beyond any camera's picture; a bomb claims more. */
const MAX_PIXELS = 60_000_000;

const KINDS: { starts: RegExp; name: string }[] = [
  { name: 'jpeg', starts: /^\xff\xd8\xff/ },
  { name: 'png', starts: /^\x89PNG\r\n\x1a\n/ },
  { name: 'webp', starts: /^RIFF[\s\S]{4}WEBP/ },
  { name: 'gif', starts: /^GIF8[79]a/ },
  { name: 'avif', starts: /^[\s\S]{4}ftyp(?:avif|avis|mif1)/ },
];

/**
 * Makes the picture that is kept: WebP, at most 960 px wide, upright, without what a camera wrote into it.
 * The bytes decide what the file is; no other decoder than that of the five kinds is ever reached.
 * @throws AppError 'unsupported-media' for what is no JPEG, PNG, WebP, GIF or AVIF, or is broken or immense
 */
export async function makeThumbnail(
  inputPath: string,
  outputPath: string,
): Promise<{ contentType: 'image/webp'; width: number; height: number }> {
  const head = await firstBytes(inputPath);
  if (!KINDS.some((kind) => kind.starts.test(head))) throw refusal();
  try {
    const made = await sharp(inputPath, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
      .rotate()
      .resize({ width: WIDTH, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toFile(outputPath);
    return { contentType: 'image/webp', width: made.width, height: made.height };
  } catch {
    throw refusal();
  }
}

const refusal = () =>
  new AppError(
    'unsupported-media',
    'This picture can’t be used. Please choose a JPEG, PNG, WebP, GIF or AVIF.',
  );

async function firstBytes(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
