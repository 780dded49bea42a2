import type { FastifyInstance } from 'fastify';
import {
  SHARE_TARGET_FIELD,
  SHARE_TARGET_PATH,
  getShareOutcomePath,
} from '#features/recordings/share-target.ts';
import type { OriginCheck } from '#server/http/origin.ts';
import type { Settings } from '#server/config/settings.ts';

const createIcon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/${name}-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/**
 * Serves the manifest that operating systems need to install the pages as an app (W3C, Web Application
 * Manifest). Redirects to the submit page if another app shares audio with the installed app.
 */
export function mountWebManifest(
  app: FastifyInstance,
  { appName, tagline }: Pick<Settings, 'appName' | 'tagline'>,
  origins: OriginCheck,
) {
  const manifest = JSON.stringify({
    id: '/',
    name: appName,
    short_name: appName,
    description: tagline,
    lang: 'en',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#faf5ec',
    theme_color: '#5d1522',
    icons: [
      ...[192, 512].map((size) => createIcon('icon', size, 'any')),
      ...[192, 512].map((size) => createIcon('icon-maskable', size, 'maskable')),
    ],
    shortcuts: [
      { name: 'Practise', url: '/melodies', icons: [createIcon('icon', 192, 'any')] },
      { name: 'Record', url: '/submit', icons: [createIcon('icon', 192, 'any')] },
    ],
    share_target: {
      action: SHARE_TARGET_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: SHARE_TARGET_FIELD, accept: ['audio/*', '.mp3', '.wav', '.m4a'] }] },
    },
  });

  app.get('/manifest.webmanifest', { config: { pattern: '/manifest.webmanifest' } }, (_, reply) =>
    reply
      .headers({
        'content-type': 'application/manifest+json; charset=utf-8',
        'cache-control': 'public, max-age=3600',
      })
      .send(manifest),
  );
  // Redirects to a different path if another website posted the audio, so that the page can warn the user.
  // Any website can post audio like the operating system does, and only the server sees where a request came
  // from.
  app.addHook('onRequest', (request, reply, done) => {
    const isFromOutside = request.url === getShareOutcomePath('kept') && origins.isLedFromElsewhere(request);
    if (!isFromOutside) return done();
    void reply.header('cache-control', 'no-store').redirect(getShareOutcomePath('outside'));
  });
  // Normally the service worker handles shared audio. If there is no service worker, the server ignores the
  // body, and the page explains what to do.
  app.post(SHARE_TARGET_PATH, { config: { pattern: SHARE_TARGET_PATH, changesNothing: true } }, (_, reply) =>
    reply.redirect(getShareOutcomePath('kept'), 303),
  );
}
