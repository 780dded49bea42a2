import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export type UnzippedFile = { bytes: Buffer; modified: Date; isStored: boolean };

/**
 * Returns the files in a ZIP archive by name, in order. Reads the central directory at its end, as desktop
 * systems do, and compares the directory's entries with the files.
 * @throws for an incomplete or inconsistent archive, and for names that lead out of a folder
 */
export async function unzip(archive: Buffer): Promise<Map<string, UnzippedFile>> {
  const files = new Map<string, UnzippedFile>();
  const zip = await fromBufferPromise(archive, { strictFileNames: true });
  for await (const entry of zip.eachEntry()) {
    const bytes = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} is not as the archive says.`);
    if (files.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice.`);
    files.set(entry.fileName, {
      bytes,
      modified: entry.getLastModDate(),
      isStored: entry.compressionMethod === 0,
    });
  }
  return files;
}
