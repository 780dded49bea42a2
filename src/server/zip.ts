import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export type ZipWriter = {
  add(name: string, content: Buffer, modified: Date): Promise<void>;
  /**
   * @returns SHA-256 of the content, in hex
   * @throws Error if the length of the content differs from `size`
   */
  addStream(name: string, content: Readable, about: { size: number; modified: Date }): Promise<string>;
};

/**
 * Creates a ZIP archive while it is being read, with little of it in memory. Nothing is compressed, because
 * audio and pictures already are.
 * @param write adds the files one after the other. If it throws, the archive's stream fails with that error,
 * without the central directory that completes an archive.
 */
export function createZipStream(write: (zip: ZipWriter) => Promise<void>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const closed = new AbortController();
  const { signal } = closed;
  const abortWith = (error: unknown) => output.destroy(error as Error);
  output.once('close', () => closed.abort());
  zip.once('error', abortWith);

  const writer: ZipWriter = {
    async add(name, content, mtime) {
      signal.throwIfAborted();
      zip.addBuffer(content, name, { mtime, compress: false });
      if (output.writableNeedDrain) await once(output, 'drain', { signal });
    },
    async addStream(name, content, { size, modified }) {
      const hash = createHash('sha256');
      // Hashes the content while the archive reads it. The archive starts reading when it gets to this file.
      const hashed = Readable.from(
        (async function* () {
          for await (const chunk of content as AsyncIterable<Buffer>) {
            hash.update(chunk);
            yield chunk;
          }
        })(),
      );
      try {
        signal.throwIfAborted();
        zip.addReadStream(hashed, name, { mtime: modified, size, compress: false });
        await finished(hashed, { signal });
      } finally {
        hashed.destroy();
        content.destroy();
      }
      return hash.digest('hex');
    },
  };
  write(writer).then(() => zip.end(), abortWith);
  return output;
}
