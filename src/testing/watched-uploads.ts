import { Readable } from 'node:stream';
import { createServices } from '../server.ts';
import { startTestApp } from './app.ts';

type Happening = (() => unknown) | null;

/**
 * An app in which something may happen while the chunks of an upload are read for what they are committed to.
 * @returns the app, what is to happen (each test sets it and takes it back), and what makes calls at one moment
 */
export async function startAppWatchingUploads() {
  const during: { afterFirstChunk: Happening; afterLastChunk: Happening } = {
    afterFirstChunk: null,
    afterLastChunk: null,
  };

  async function* watched(chunks: Readable): AsyncGenerator<Buffer> {
    let isFirst = true;
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      yield chunk;
      if (isFirst) await during.afterFirstChunk?.();
      isFirst = false;
    }
    await during.afterLastChunk?.();
  }

  const app = await startTestApp({
    services: (_, parts) =>
      createServices({
        ...parts,
        staging: {
          ...parts.staging,
          receive: (stream, ...rest) => parts.staging.receive(Readable.from(watched(stream)), ...rest),
        },
      }),
  });
  /** Makes the calls so that each has its whole file before any of them is kept. */
  async function atOnce<T>(calls: (() => Promise<T>)[]): Promise<T[]> {
    let arrived = 0;
    let letGo!: () => void;
    const all = new Promise<void>((resolve) => (letGo = resolve));
    during.afterLastChunk = () => {
      arrived += 1;
      if (arrived >= calls.length) letGo();
      return all;
    };
    return Promise.all(calls.map((call) => call()));
  }

  return { app, during, atOnce };
}
