import { vi } from 'vitest';

/**
 * Makes Blob reads return zeros immediately. A real read happens on another thread, for which fake timers do
 * not wait.
 */
export const mockBlobReads = () =>
  vi.spyOn(Blob.prototype, 'arrayBuffer').mockImplementation(function (this: Blob) {
    return Promise.resolve(new ArrayBuffer(this.size));
  });
