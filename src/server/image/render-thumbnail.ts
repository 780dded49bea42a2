import { writeFileSync } from 'node:fs';
import { openImage, orBroken } from './inspect.ts';

/** Twice the width of a card, for high-density screens. */
const WIDTH = 960;
const QUALITY = 78;

export type Thumbnail = { contentType: 'image/webp'; width: number; height: number };

/**
 * Decodes a picture without limits on time or memory: call it only in a process that has them.
 * @param output a file opened for writing
 * @throws AppError 'unsupported-media' (415)
 */
export async function renderThumbnail(inputPath: string, output: number): Promise<Thumbnail> {
  const { image } = await openImage(inputPath);
  const { data, info } = await orBroken(() =>
    image
      .autoOrient()
      .resize({ width: WIDTH, withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true }),
  );
  writeFileSync(output, data);
  return { contentType: 'image/webp', width: info.width, height: info.height };
}
