import { writeFile } from 'node:fs/promises';
import { openImage, orBroken } from './inspect.ts';

/** Twice the width of a card, for sharp screens. */
const WIDTH = 960;
const QUALITY = 78;

/**
 * Makes the picture that is kept: WebP, at most 960 px wide, upright, without what a camera wrote into it; of
 * a moving picture the first frame.
 * @throws AppError 'unsupported-media' (415): no JPEG, PNG, WebP, GIF or AVIF, or broken, or immense; then
 *   nothing is written
 */
export async function makeThumbnail(
  inputPath: string,
  outputPath: string,
): Promise<{ contentType: 'image/webp'; width: number; height: number }> {
  const { image } = await openImage(inputPath);
  const { data, info } = await orBroken(() =>
    image
      .autoOrient()
      .resize({ width: WIDTH, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true }),
  );
  await writeFile(outputPath, data, { mode: 0o600 });
  return { contentType: 'image/webp', width: info.width, height: info.height };
}
