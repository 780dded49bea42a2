import type { Plugin } from 'vite';
import { FILE_DAMAGED_MESSAGE } from '#shared/media.ts';
import { createTone } from '../tone.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const tones = new Map<string, Buffer>();

/** Returns a sine of this many seconds. Cached, because a player requests the same file again and again. */
function getTone(seconds: string) {
  const made = tones.get(seconds) ?? createTone(Number(seconds));
  tones.set(seconds, made);
  return made;
}

/**
 * Serves the files of the API: `tone-20.wav` is a sine of 20 seconds, `picture.png` is a dot, and other files
 * do not exist. `become?name=&state=` sets the state of a file:
 *
 * - `there`: it is a sine of three seconds;
 * - `broken`: requesting it breaks the connection;
 * - `silent`: it never arrives;
 * - `damaged`: it is damaged in storage (503);
 * - `gone`: it is gone for good (404).
 */
export const createTestFilesPlugin = (): Plugin => ({
  name: 'files-for-tests',
  configureServer({ middlewares }) {
    const states = new Map<string, string>();
    middlewares.use('/api/files/', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const name = pathname.slice(1);
      if (name === 'become') {
        states.set(searchParams.get('name') ?? '', searchParams.get('state') ?? '');
        return void response.end();
      }
      const state = states.get(name);
      if (state === 'broken') return void request.socket.destroy();
      if (state === 'silent') return;
      if (state === 'gone') return void response.writeHead(404).end();
      if (state === 'damaged') {
        response.writeHead(503, { 'content-type': 'application/json' });
        return void response.end(JSON.stringify({ message: FILE_DAMAGED_MESSAGE }));
      }
      const seconds = state === 'there' ? '3' : /^tone-([\d.]+)\.wav$/.exec(name)?.[1];
      const bytes = seconds ? getTone(seconds) : name === 'picture.png' ? picture : null;
      if (!bytes) return void response.writeHead(404).end();
      const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from ?? 0);
      const end = to ? Number(to) : bytes.length - 1;
      response.writeHead(from === undefined ? 200 : 206, {
        'content-type': seconds ? 'audio/wav' : 'image/png',
        'accept-ranges': 'bytes',
        ...(from !== undefined && { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
      });
      response.end(bytes.subarray(start, end + 1));
    });
  },
});
