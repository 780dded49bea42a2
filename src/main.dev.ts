import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer as createVite } from 'vite';
import { runServer } from '#app/server/run.ts';

const root = join(import.meta.dirname, '..');

/** Serves the API and Vite on one port, so that changes to browser code show immediately. */
async function serve(app: FastifyInstance) {
  const vite = await createVite({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  app.addHook('onClose', () => vite.close());
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/api/')) return done();
    vite.middlewares(request.raw, reply.raw, done);
  });
  return {
    template: async (path: string) =>
      vite.transformIndexHtml(path, await readFile(join(root, 'index.html'), 'utf8')),
    modulesOf: () => [],
    render: null,
  };
}

await runServer({ web: { serve, develop: true } });
