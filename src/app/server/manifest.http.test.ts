import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { mountWebManifest } from './manifest.ts';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({
  prepare: ({ app: server, origins }) => {
    mountWebManifest(server, { appName: 'Song & <b> "la"', tagline: 'Sung' }, origins);
    server.get('/submit', () => 'the submit page');
  },
});
const fileOf = (path: string) => readFile(join(import.meta.dirname, '../../../public', path));

type Icon = { src: string; sizes: string; type: string; purpose: string };

test('the manifest needs no sign-in and contains the community’s name', async () => {
  const reply = await app.visitor().get('/manifest.webmanifest');
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'application/manifest+json; charset=utf-8',
  ]);
  expect(JSON.parse(reply.bytes.toString())).toMatchObject({ name: 'Song & <b> "la"', start_url: '/' });
});

test('every icon matches the manifest, and maskable icons are opaque', async () => {
  const manifest = JSON.parse((await app.visitor().get('/manifest.webmanifest')).bytes.toString());
  const icons = [
    ...manifest.icons,
    ...manifest.shortcuts.flatMap((shortcut: { icons: Icon[] }) => shortcut.icons),
    { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png', purpose: 'maskable' },
  ] as Icon[];
  for (const { src, sizes, type, purpose } of icons) {
    const image = sharp(await fileOf(src));
    const { width, height, format } = await image.metadata();
    expect([`${width}x${height}`, `image/${format}`], src).toEqual([sizes, type]);
    expect((await image.stats()).isOpaque, src).toBe(purpose === 'maskable');
  }
});

test('favicon.ico contains a PNG image of 48 px', async () => {
  const bytes = await fileOf('favicon.ico');
  const image = bytes.subarray(bytes.readUInt32LE(18));
  expect([...bytes.subarray(0, 6), image.length]).toEqual([0, 0, 1, 0, 1, 0, bytes.readUInt32LE(14)]);
  expect(await sharp(image).metadata()).toMatchObject({ format: 'png', width: 48, height: 48 });
});

test('sharing audio without a service worker redirects to the submit page', async () => {
  const form = new FormData();
  form.append('sound', new Blob(['la']), 'voice.m4a');
  // Imitates the operating system's request, which belongs to no page.
  const headers = { origin: 'null', 'sec-fetch-site': 'none' };
  const reply = await fetch(`${app.url}/submit`, { method: 'POST', body: form, headers, redirect: 'manual' });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, '/submit?shared=kept']);
  const elsewhere = await fetch(`${app.url}/api/logout`, { method: 'POST', headers });
  expect(elsewhere.status).toBe(403);
});

test('a share from another website redirects to the path for external audio', async () => {
  const open = (headers: Record<string, string>) => app.visitor().get('/submit?shared=kept', { headers });
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { referer: 'https://elsewhere.example/' }]) {
    const reply = await open(headers);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/submit?shared=outside']);
  }
  // Imitates the operating system and our own pages.
  for (const site of ['none', 'same-origin'])
    expect((await open({ 'sec-fetch-site': site })).status).toBe(200);
});
