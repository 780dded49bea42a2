import { connect } from 'node:net';
import type { TestClient } from './client.ts';

/** Output of a server on a connection so far; status 0 if it closed without a response. */
export type RawServerResponse = { status: number; text: string };

/** Opens a connection for writing raw requests, however slow or malformed. */
export function openRawConnection(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  let answered!: (said: RawServerResponse) => void;
  const answer = new Promise<RawServerResponse>((resolve) => (answered = resolve));
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket
    .on('error', () => undefined)
    .on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (?!1\d\d)(\d+)[^]*?\r\n\r\n/m.exec(text)?.[1];
      if (status) answered({ status: Number(status), text });
    })
    // Reports status 0 if the connection closes without a response.
    .on('close', () => answered({ status: 0, text }));
  return {
    socket,
    /** The first response, resolved as soon as its head has arrived. */
    answer,
    closed,
    write: (part: string | Uint8Array) => void socket.write(part),
    writeRequestHead(method: string, path: string, headers: Record<string, string | number>) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`);
    },
    end: () => socket.destroy(),
  };
}

export const FORM_BOUNDARY = 'xxboundaryxx';

/** Returns the head of a form part, up to the value that follows. */
export const getFormPartHead = (disposition: string) =>
  `--${FORM_BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`;

/** Returns a complete form of text fields, whose names may be repeated or malformed. */
export const buildForm = (fields: [name: string, value: string][]) =>
  fields.map(([name, value]) => `${getFormPartHead(`name="${name}"`)}${value}\r\n`).join('') +
  `--${FORM_BOUNDARY}--\r\n`;

type FormTarget = { url: string; client: TestClient; path: string; method?: string };

/** Sends only the head of a form, which may declare more bytes than the test then writes. */
export function beginRawForm({ url, client, path, method = 'POST' }: FormTarget, length: number) {
  const connection = openRawConnection(url);
  connection.writeRequestHead(method, path, {
    cookie: `session=${client.cookies.get('session')}`,
    'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}`,
    'content-length': length,
  });
  return connection;
}

/** Sends a form verbatim, however malformed, and returns the status and message of the response. */
export async function sendRawForm(to: FormTarget, form: string) {
  const connection = beginRawForm(to, Buffer.byteLength(form));
  connection.write(form);
  const { status, text } = await connection.answer;
  connection.end();
  return { status, message: /"message":"([^"]*)"/.exec(text)?.[1] };
}
