import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

// Creates the icons of the installed app from the drawing in public/favicon.svg: npm run icons

const folder = join(import.meta.dirname, '..', 'public');
const drawing = await readFile(join(folder, 'favicon.svg'), 'utf8');

/** The drawing without rounded corners, for systems that cut out their own shape. */
const square = drawing.replace(' rx="14"', '');

/**
 * Shrinks the lotus into the safe zone, which every system shows: a circle of four fifths of the width (W3C,
 * Web Application Manifest).
 */
const maskable = square.replace(/<g (.*)<\/g>/, '<g transform="translate(6 6) scale(.8125)"><g $1</g></g>');

const icons: Record<string, { svg: string; size: number }> = {
  'icon-192.png': { svg: drawing, size: 192 },
  'icon-512.png': { svg: drawing, size: 512 },
  'icon-maskable-192.png': { svg: maskable, size: 192 },
  'icon-maskable-512.png': { svg: maskable, size: 512 },
  // Uses the square drawing, because Safari rounds the corners itself and fills transparent parts with black.
  'apple-touch-icon.png': { svg: square, size: 180 },
};

for (const [name, { svg, size }] of Object.entries(icons))
  await writeFile(join(folder, name), await png(svg, size));
await writeFile(join(folder, 'favicon.ico'), ico(await png(drawing, 48), 48));

function png(svg: string, size: number): Promise<Buffer> {
  return sharp(Buffer.from(svg), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** Returns an ICO file of one icon, stored as PNG (supported since Windows Vista). */
function ico(image: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(image.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, image]);
}
