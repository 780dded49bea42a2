import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadPageTemplate, RenderPage } from './page.ts';

/** Content security policy of the page for browsers that can't run our scripts. */
const PLAIN_PAGE_CSP = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'";

type Manifest = Record<string, { file: string; name?: string; imports?: string[] }>;

export type WebBuild = {
  template: LoadPageTemplate;
  /**
   * Returns the URLs of a chunk and of all scripts that it imports.
   * @param part the chunk's source module, or its name
   */
  modulesOf(part: string): string[];
  /** Null in development: the browser renders every page itself. */
  render: RenderPage | null;
};

/**
 * Serves the build output. Files under /assets have a hash in their names, so they may be cached forever.
 * Compressed versions of each file are next to it.
 * @throws Error with a sentence for the operator if there is no build
 */
export async function serveWebBuild(app: FastifyInstance, folder: string): Promise<WebBuild> {
  const [html, manifestText, { render }] = await Promise.all([
    readFile(join(folder, 'index.html'), 'utf8'),
    readFile(join(folder, '.vite', 'manifest.json'), 'utf8'),
    import(pathToFileURL(join(folder, '.server', 'main.render.js')).href) as Promise<{ render: RenderPage }>,
  ]).catch((cause: unknown) => {
    throw new Error('The pages have not been built, or not whole. Run npm run build.', { cause });
  });
  const manifest = JSON.parse(manifestText) as Manifest;
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    // Turned off, because browsers don't request ranges of these files, and the plugin would respond to HEAD
    // with 206, which is valid only for GET.
    acceptRanges: false,
    globIgnore: ['index.html', '.vite/**', '.server/**'],
    setHeaders: (reply, path) => {
      const forEver = path.includes(`${folder}/assets/`);
      void reply.header(
        'cache-control',
        forEver ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
      // Removes Permissions-Policy, which applies only to documents, and the validators, which browsers don't use
      // for immutable files. They would make up half of a small script's response.
      if (forEver)
        for (const name of ['permissions-policy', 'etag', 'last-modified']) void reply.removeHeader(name);
      if (path.endsWith('/too-old.html')) void reply.header('content-security-policy', PLAIN_PAGE_CSP);
      // Allows the service worker to fetch the app shell. A worker obeys the policy of its own response.
      if (path.endsWith('service-worker.js'))
        void reply.header('content-security-policy', "default-src 'none'; connect-src 'self'");
    },
  });
  const painted = await inlineStyles(html, folder);
  return {
    // A page that shows nothing until the program has loaded can load the style sheet in parallel, often from
    // the cache. So the style sheet is inlined only in pages that paint before that.
    template: (_path, isPainted) => Promise.resolve(isPainted ? painted : html),
    modulesOf: (part) => getImportedFiles(manifest, findManifestKey(manifest, part)),
    render,
  };
}

/** Inlines the style sheet, so that the page paints without another request. */
async function inlineStyles(html: string, folder: string): Promise<string> {
  const link = /<link rel="stylesheet"[^>]* href="(\/assets\/[^"]+\.css)"[^>]*>/.exec(html);
  if (!link?.[1]) return html;
  const styles = await readFile(join(folder, link[1]), 'utf8');
  return html.replace(link[0], () => `<style nonce="__NONCE__">${styles}</style>`);
}

/** Returns a chunk's key in the manifest. A chunk shared by several modules has a name instead of a source. */
function findManifestKey(manifest: Manifest, part: string): string {
  if (manifest[part]) return part;
  return Object.keys(manifest).find((key) => manifest[key]?.name === part) ?? part;
}

function getImportedFiles(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  const chunk = manifest[source];
  if (!chunk || seen.has(source)) return [];
  seen.add(source);
  return [
    `/${chunk.file}`,
    ...(chunk.imports ?? []).flatMap((name) => getImportedFiles(manifest, name, seen)),
  ];
}
