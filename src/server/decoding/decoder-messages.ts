import type { Readable, Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';

const LENGTH_BYTES = 4;

/** Sends a value as its structured clone, preceded by the length of the clone. */
export function sendDecoderMessage(stream: Writable, value: unknown): void {
  const clone = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(clone.length);
  stream.write(Buffer.concat([length, clone]));
}

/**
 * Receives the values that the other process sends. Replaces Node's IPC channel, which would buffer a message
 * of any length.
 * @param maxBytes limit for all messages together; when it is exceeded, the stream is destroyed
 * @param onMessage called with a function that returns the value, or throws if the message is malformed
 */
export function receiveDecoderMessages(
  stream: Readable,
  {
    maxBytes,
    onMessage,
    onTooMuch,
  }: {
    maxBytes: number;
    onMessage: (read: () => unknown) => void;
    onTooMuch?: () => void;
  },
): void {
  let total = 0;
  let chunks: Buffer[] = [];
  let size = 0;
  let needed = LENGTH_BYTES;
  const take = () => {
    const all = Buffer.concat(chunks);
    const taken = all.subarray(0, needed);
    const rest = all.subarray(needed);
    [chunks, size] = [[rest], rest.length];
    return taken;
  };
  let isLength = true;
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length;
    if (total > maxBytes) {
      stream.destroy();
      onTooMuch?.();
      return;
    }
    chunks.push(chunk);
    size += chunk.length;
    while (size >= needed) {
      const taken = take();
      if (isLength) needed = taken.readUInt32BE();
      else {
        needed = LENGTH_BYTES;
        onMessage(() => deserialize(taken) as unknown);
      }
      isLength = !isLength;
    }
  });
}
