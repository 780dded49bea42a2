import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';

export type Unzipped = { bytes: Buffer; modified: Date; isStored: boolean };

/**
 * The files in a ZIP archive by their names, in their order. Reads the directory at its end, as a person's computer
 * does, and compares what it says of each file with the file.
 * @throws for an archive that is not whole, and for names that lead out of a folder
 */
export async function unzip(archive: Buffer): Promise<Map<string, Unzipped>> {
  const files = new Map<string, Unzipped>();
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
