import { vi } from 'vitest';

/** Blobs are read by another thread, which fake time does not wait for: from now on a read is answered at once, with zeros. */
export const readBlobsAtOnce = () =>
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(function (this: Blob) {
    return Promise.resolve(new ArrayBuffer(this.size));
  });
