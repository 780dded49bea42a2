import fastify from 'fastify';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serveWebBuild } from './web-build.ts';

const folder = await mkdtemp(join(tmpdir(), 'yangchen-built-'));
const app = fastify();
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const manifest = {
  'src/melodies-page.tsx': { file: 'assets/melodies.js', imports: ['_signed-in-a.js'] },
  '_signed-in-a.js': { file: 'assets/signed-in-a.js', name: 'signed-in', imports: ['_program-b.js'] },
  '_program-b.js': { file: 'assets/program-b.js', name: 'program' },
};
await Promise.all(['.vite', '.server', 'assets'].map((name) => mkdir(join(folder, name))));
await Promise.all(
  Object.entries({
    'index.html': '<title></title>',
    '.vite/manifest.json': JSON.stringify(manifest),
    '.server/main.render.js': 'export const render = null;',
    'assets/program-b.js': 'plain',
    'assets/program-b.js.br': 'brotli',
  }).map(([name, text]) => writeFile(join(folder, name), text)),
);
app.addHook('onRequest', async (_, reply) => {
  reply.headers({ 'permissions-policy': 'camera=()', 'x-content-type-options': 'nosniff' });
});
const web = await serveWebBuild(app, folder);

test('finds a page’s scripts by source file, and shared scripts by name', () => {
  expect(web.modulesOf('src/melodies-page.tsx')).toEqual([
    '/assets/melodies.js',
    '/assets/signed-in-a.js',
    '/assets/program-b.js',
  ]);
  expect(web.modulesOf('signed-in')).toEqual(['/assets/signed-in-a.js', '/assets/program-b.js']);
});

test.each(['GET', 'HEAD'] as const)('%s with a Range header returns the whole script', async (method) => {
  const range = { range: 'bytes=0-1' };
  const { statusCode, headers } = await app.inject({ method, url: '/assets/program-b.js', headers: range });
  expect([statusCode, headers['content-length']]).toEqual([200, '5']);
});

test('serves a compressed script from the build, without unnecessary headers', async () => {
  const { body, headers } = await app.inject({
    url: '/assets/program-b.js',
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(body).toBe('brotli');
  expect(headers).toMatchObject({ 'content-encoding': 'br', 'x-content-type-options': 'nosniff' });
  for (const name of ['permissions-policy', 'etag', 'last-modified'])
    expect(headers).not.toHaveProperty(name);
});
