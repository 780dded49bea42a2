import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const BUFFER_BYTES = 256 * 1024;

/**
 * Computes the size and SHA-256 of a local file. Reuses a single buffer, because a stream would allocate a
 * buffer for each read, and these buffers would pile up between garbage collections.
 */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  await using file = await open(path, 'r');
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  for (let size = 0; ;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size);
    if (bytesRead === 0) return { size, sha256: hash.digest('hex') };
    hash.update(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
}
