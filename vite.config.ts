import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  plugins: [react(), tailwindcss(), paintedFirst(), compressed()],
  // The server puts each answer's own nonce in its place.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // The server reads from it what to preload for which page.
    manifest: true,
    // `data:` is not allowed for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

/**
 * Lets the page's own HTML be painted before the program is evaluated, which takes a phone longer than fetching it.
 * A hidden tab paints nothing, so it does not wait; and a program that does not come says so.
 */
function paintedFirst(): Plugin {
  const program = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/;
  const inline = (src: string) => `
    <link rel="modulepreload" crossorigin fetchpriority="low" href="${src}" nonce="__NONCE__">
    <script type="module" nonce="__NONCE__">
      const start = () =>
        import('${src}').catch(() => {
          for (const each of document.querySelectorAll('[data-loading]'))
            each.textContent = 'This page could not be loaded. Please load it again.';
        });
      if (document.hidden) start();
      else requestAnimationFrame(() => setTimeout(start));
    </script>`;
  return {
    name: 'painted-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(program, (_, src: string) => inline(src).trim()),
    },
  };
}

/** Lays a compressed form beside each script and style, so that serving them costs nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const names = await readdir(join(dir, 'assets'));
      for (const name of names.filter((each) => /\.(js|css)$/.test(each))) {
        const path = join(dir, 'assets', name);
        const bytes = await readFile(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      }
    },
  };
}
