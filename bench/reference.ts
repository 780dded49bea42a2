import { Busboy } from '@fastify/busboy';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

// Reference server for the benchmarks: the least work that Node can do for the same bytes, without a database
// and without access control. Runs in a separate process. The argument is the folder that the server reads
// from and writes to. Prints the server's port.

const [folder = ''] = process.argv.slice(2);
const bodies = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const [, what = '', name = ''] = (request.url ?? '').split('/');
  void answer(what, name).catch((error: unknown) => response.destroy(error as Error));

  async function answer(kind: string, file: string): Promise<void> {
    if (kind === 'json') return sendJson(file);
    if (kind === 'range') return sendRange(file);
    return takeFile();
  }

  async function sendJson(file: string) {
    const body = bodies.get(file) ?? (await readFile(join(folder, file)));
    bodies.set(file, body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }

  async function sendRange(file: string) {
    const [, first = '0', last = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(first), Number(last)];
    response.writeHead(206, { 'content-type': 'audio/wav', 'content-length': end - start + 1 });
    await pipeline(createReadStream(join(folder, file), { start, end }), response);
  }

  /** Stores an upload durably: syncs the file, renames it and syncs its folder before it responds. */
  async function takeFile() {
    const path = join(folder, randomUUID());
    const form = new Busboy({ headers: request.headers as { 'content-type': string } });
    const hash = createHash('sha256');
    let written: Promise<void> | undefined;
    form.on('file', (_, stream) => {
      stream.on('data', (chunk: Buffer) => hash.update(chunk));
      written = pipeline(stream, createWriteStream(path));
    });
    await pipeline(request, form);
    await written;
    const file = await open(path, 'r+');
    await file.sync();
    await file.close();
    await rename(path, `${path}.wav`);
    const parent = await open(folder, 'r');
    await parent.sync();
    await parent.close();
    response.writeHead(201, { 'content-type': 'application/json' }).end(`{"sha256":"${hash.digest('hex')}"}`);
    await rm(`${path}.wav`);
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
