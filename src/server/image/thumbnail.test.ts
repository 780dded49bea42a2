import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolderPerTest } from '#testing/temporary-folder.ts';
import { openSandbox } from '../decoding/sandbox.ts';
import { openImage } from './render-thumbnail.ts';
import { createThumbnail } from './thumbnail.ts';

const folder = createTemporaryFolderPerTest();
const decoders = { sandbox: await openSandbox({ hide: [] }) };

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8a2f1d' } });

async function file(bytes: Buffer | string): Promise<string> {
  const path = join(folder(), 'sent');
  await writeFile(path, bytes);
  return path;
}

const matchRejection = (message: RegExp) => ({
  code: 'unsupported-media',
  message: expect.stringMatching(message),
});

describe('uploaded pictures', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)(
    'makes a WebP thumbnail of a %s picture',
    async (format) => {
      const path = await file(await picture(1200, 800).toFormat(format).toBuffer());
      const output = join(folder(), 'kept');
      expect(await createThumbnail(path, output, decoders)).toEqual({
        contentType: 'image/webp',
        width: 960,
        height: 640,
      });
      expect(await sharp(output).metadata()).toMatchObject({ format: 'webp', width: 960, height: 640 });
    },
  );

  it('does not enlarge a small picture', async () => {
    const path = await file(await picture(300, 200).png().toBuffer());
    expect(await createThumbnail(path, join(folder(), 'kept'), decoders)).toMatchObject({
      width: 300,
      height: 200,
    });
  });

  it('rotates a picture upright and removes its camera and location metadata', async () => {
    const path = await file(
      await picture(400, 200)
        .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '27/1 42/1 0/1' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    const output = join(folder(), 'kept');
    expect(await createThumbnail(path, output, decoders)).toMatchObject({ width: 200, height: 400 });
    const { exif, icc, xmp, orientation } = await sharp(output).metadata();
    expect({ exif, icc, xmp, orientation }).toEqual({});
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['an HTML page', '<!doctype html><img src=x>'],
    ['a PDF', '%PDF-1.7'],
    ['a TIFF', 'II*\0\x08\0\0\0'],
    ['a HEIC photo', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['an empty file', ''],
  ])('rejects %s as a picture', async (_, bytes) => {
    await expect(openImage(await file(bytes))).rejects.toMatchObject(matchRejection(/can’t be used/));
  });

  it('rejects a truncated picture, and a file that only starts like a picture', async () => {
    const whole = await sharp(Buffer.from(noise(300 * 200 * 3)), {
      raw: { width: 300, height: 200, channels: 3 },
    })
      .jpeg()
      .toBuffer();
    for (const bytes of [
      whole.subarray(0, whole.length / 2),
      Buffer.from('\x89PNG\r\n\x1a\n<svg>', 'latin1'),
      Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'latin1'),
    ]) {
      const made = createThumbnail(await file(bytes), join(folder(), 'kept'), decoders);
      await expect(made).rejects.toMatchObject(matchRejection(/damaged/));
    }
    expect(await readdir(folder())).toEqual(['sent']);
  });

  /** Returns a small PNG whose header claims another size. */
  async function pictureClaiming(width: number, height: number) {
    const bytes = await picture(10, 10).png().toBuffer();
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    return bytes;
  }

  it('accepts pictures as large as those of 50-megapixel phones', async () => {
    const path = await file(await pictureClaiming(8192, 6144));
    expect(await (await openImage(path)).metadata()).toMatchObject({ width: 8192, height: 6144 });
  });

  it('rejects a picture that claims 900 million pixels', async () => {
    const path = await file(await pictureClaiming(30_000, 30_000));
    await expect(openImage(path)).rejects.toMatchObject(matchRejection(/too large/));
    await expect(createThumbnail(path, join(folder(), 'kept'), decoders)).rejects.toMatchObject(
      matchRejection(/too large/),
    );
  });

  it('throws ENOENT for a missing picture, not an error about damage', async () => {
    await expect(openImage(join(folder(), 'none'))).rejects.toThrow(/ENOENT/);
  });
});

/** Returns noise. It can't be compressed, so half of the file contains half of the picture. */
function noise(length: number): Uint8Array {
  let seed = 1;
  return Uint8Array.from({ length }, () => (seed = (seed * 48_271) % 0x7fff_ffff) & 255);
}
