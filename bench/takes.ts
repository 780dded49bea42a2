import { randomUUID } from 'node:crypto';
import { wavFile } from '../src/testing/tone.ts';
import type { Ask } from './load.ts';

const KIB = 1024;

/** A take of so many seconds as the recorder makes it: no two samples alike, as from a microphone. */
export function sung(seconds: number) {
  return wavFile(
    seconds,
    32_000,
    (second) =>
      9_000 * Math.sin(second * 1_382) + 2_000 * Math.sin(second * 8_311) + 400 * (Math.random() - 0.5),
  );
}

/** Sends a take as the browser does over a good connection. @returns its `clientId` */
export async function sendInChunks(take: Buffer, send: (status: number, ask: Ask) => Promise<unknown>) {
  const clientId = randomUUID();
  const path = `/api/uploads/${clientId}`;
  const json = { 'content-type': 'application/json' };
  const announced = Buffer.from(JSON.stringify({ size: take.length }));
  await send(200, { path, method: 'PUT', headers: json, body: announced });
  for (
    let start = 0, size = 256 * KIB;
    start < take.length;
    start += size, size = Math.min(KIB * KIB, size * 2)
  )
    await send(200, {
      path: `${path}?start=${start}`,
      method: 'PATCH',
      headers: { 'content-type': 'application/octet-stream' },
      body: take.subarray(start, start + size),
    });
  const { headers, body } = formOf({ title: 'Sent in chunks', clientId, uploadId: clientId });
  await send(201, { path: '/api/recordings', method: 'POST', headers, body });
  return clientId;
}

export function formOf(fields: Record<string, string>, file?: Uint8Array) {
  const boundary = 'between-the-parts';
  const parts: Uint8Array[] = Object.entries(fields).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename="take.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
  if (file) parts.push(Buffer.from(head), file, Buffer.from('\r\n'));
  parts.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(parts),
  };
}
