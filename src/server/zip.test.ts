import { setImmediate as nextTurn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { unzip } from '#testing/unzip.ts';
import { createZipStream } from './zip.ts';

const AT = new Date('2026-11-20T06:30:00Z');

const bytes = (size: number, value: number) => Buffer.alloc(size, value);

/** Streams the content in chunks, like a file. */
const streamOf = (content: Buffer) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < content.length; at += 10_000) yield content.subarray(at, at + 10_000);
    })(),
  );

test('a ZIP reader that starts late gets every byte', async () => {
  // More data than fits into the buffers between the file and the reader.
  const contents = [1, 2, 3, 4].map((value) => bytes(200_000, value));
  const archive = createZipStream(async (zip) => {
    for (const [at, content] of contents.entries())
      await zip.addStream(`${at}.wav`, streamOf(content), { size: content.length, modified: AT });
    await zip.add('end.txt', Buffer.from('the end'), AT);
  });
  for (let turn = 0; turn < 200; turn += 1) await nextTurn();
  const files = await unzip(await buffer(archive));
  expect([...files.keys()]).toEqual(['0.wav', '1.wav', '2.wav', '3.wav', 'end.txt']);
  contents.forEach((content, at) => expect(files.get(`${at}.wav`)!.bytes.equals(content)).toBe(true));
  expect(files.get('end.txt')).toEqual({ bytes: Buffer.from('the end'), modified: AT, isStored: true });
});

test('writes a ZIP archive only a little ahead of its reader', async () => {
  let made = 0;
  const pieces = function* () {
    for (made = 0; made < 10_000_000; made += 10_000) yield bytes(10_000, 1);
  };
  const long = { size: 10_000_000, modified: AT };
  for (const write of [
    async (zip) => void (await zip.addStream('long.wav', Readable.from(pieces()), long)),
    async (zip) => {
      for (const piece of pieces()) await zip.add(`${made}.txt`, piece, AT);
    },
  ] satisfies Parameters<typeof createZipStream>[0][]) {
    const archive = createZipStream(write);
    for (let turn = 0; turn < 2_000; turn += 1) await nextTurn();
    expect(made).toBeLessThan(1_000_000);
    archive.destroy();
  }
});

test('stops writing a ZIP archive and closes its sources if the reader disconnects', async () => {
  const contents = [streamOf(bytes(1_000_000, 1)), streamOf(bytes(1_000_000, 2))] as const;
  const ended = Promise.withResolvers<void>();
  const archive = createZipStream(async (zip) => {
    try {
      await zip.addStream('first', contents[0], { size: 1_000_000, modified: AT });
    } catch {
      await zip.addStream('second', contents[1], { size: 1_000_000, modified: AT }).catch(ended.reject);
    }
  });
  for await (const chunk of archive) if ((chunk as Buffer).length > 0) break;
  await expect(ended.promise).rejects.toThrow('aborted');
  expect(contents.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test.each<[string, Parameters<typeof createZipStream>[0]]>([
  ['cannot be read', () => Promise.reject(new Error('no database'))],
  [
    'does not have the declared length',
    async (zip) => void (await zip.addStream('a', streamOf(bytes(9, 1)), { size: 10, modified: AT })),
  ],
])('aborts a ZIP archive if a file %s', (_, write) =>
  expect(buffer(createZipStream(write))).rejects.toThrow(/no database|number of bytes/),
);
