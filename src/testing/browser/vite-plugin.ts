import type { Plugin } from 'vite';
import { tone } from '../tone.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * The files of the API: `tone-20.wav` is a sine of 20 seconds, `picture.png` a dot. Others are not there, until
 * `put-there?name=` makes a sine of them.
 */
export const filesForTests = (): Plugin => ({
  name: 'files-for-tests',
  configureServer({ middlewares }) {
    const putThere = new Set<string>();
    middlewares.use('/api/files/', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const name = pathname.slice(1);
      if (name === 'put-there') {
        putThere.add(searchParams.get('name') ?? '');
        return void response.end();
      }
      const seconds = putThere.has(name) ? '3' : /^tone-(\d+)\.wav$/.exec(name)?.[1];
      const bytes = seconds ? tone(Number(seconds)) : name === 'picture.png' ? picture : null;
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
