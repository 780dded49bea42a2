import { Readable } from 'node:stream';

/**
 * Pipes a stream through a generator. Destroying the result also destroys the source, even before the generator
 * has started.
 */
export const pipeThrough = <Source extends Readable>(
  source: Source,
  generate: (source: Source) => AsyncGenerator<Buffer>,
): Readable => Readable.from(generate(source), { objectMode: false }).once('close', () => source.destroy());
