import { Readable } from 'node:stream';

/** What a generator makes of a stream, as a stream. Destroying it destroys both, even before the generator has started. */
export const passThrough = <Source extends Readable>(
  source: Source,
  generate: (source: Source) => AsyncGenerator<Buffer>,
): Readable => Readable.from(generate(source), { objectMode: false }).once('close', () => source.destroy());
