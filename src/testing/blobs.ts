import { vi } from 'vitest';

/** Makes Blob reads return zeros at once. Another thread reads Blobs, and fake timers do not wait for it. */
export const mockBlobReads = () =>
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(function (this: Blob) {
    return Promise.resolve(new ArrayBuffer(this.size));
  });
