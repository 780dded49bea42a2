import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { OLDEST_BROWSERS } from './src/web/oldest-browsers.ts';

/** Browsers for which the build compiles syntax. scripts/browsers.ts finds the APIs that they lack. */
const TARGET = Object.entries(OLDEST_BROWSERS).map(([name, version]) => `${name}${version}`);

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? forServer : forBrowser));

/**
 * `vite build --ssr`: the server, its admin and demo commands, the process that decodes a file, and the
 * components for rendering first screens. They are bundled into a few files with all their dependencies,
 * because loading hundreds of modules would take most of the startup time. Native modules stay in
 * node_modules.
 */
const forServer: UserConfig = {
  plugins: [react()],
  ssr: { noExternal: true, external: ['@node-rs/argon2', 'pg-native', 'sharp'] },
  // Builds for production, whatever NODE_ENV the server runs with.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    copyPublicDir: false,
    rolldownOptions: {
      input: [
        'src/main.server.ts',
        'src/main.admin.ts',
        'src/main.demo.ts',
        'src/main.render.tsx',
        'src/main.decode.ts',
      ],
      // Names in errors and logs match the sources.
      output: { chunkFileNames: '[name].js', keepNames: true },
    },
  },
};

const forBrowser: UserConfig = {
  plugins: [react(), tailwindcss(), paintedFirst(), offlineShell(), compressed()],
  // The server replaces this placeholder with the nonce of each response.
  html: { cspNonce: '__NONCE__' },
  // Replaces the router's shim for React before 18, because React now has the function itself.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: TARGET,
    // The server reads from the manifest what to preload for each page.
    manifest: true,
    // The Content Security Policy forbids `data:` for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The entry file contains the names of most other files, so each character of a hash costs 40 bytes.
        hashCharacters: 'base36',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // A module belongs to the first group that matches the module or one of its importers. Without
        // groups, the first pages would load 60 small files, which queue on a slow connection. The groups
        // from `limits` on contain only modules that several pages share. They reduce the number of shared
        // files, because the entry file names each of them.
        codeSplitting: {
          groups: [
            { name: 'program', tags: ['$initial'] },
            // Comes before the groups below, so that visitors don't load code that only signed-in users need.
            { name: 'visitor-pages', test: /\/(forgot|reset)-password-page\.tsx|\/unsubscribe-page\.tsx/ },
            { name: 'signed-in', test: /\/app\/web\/layout\/layout\.tsx|\/melodies-page\.tsx/ },
            { name: 'home', test: /\/home-page\.tsx/ },
            { name: 'dialogs', test: /\/web\/ui\/alert-dialog\.tsx/ },
            { name: 'limits', test: /\/limits\.ts/, minShareCount: 2 },
            { name: 'common', test: /\/src\/web\/(?!audio|tables)|lucide-react/, minShareCount: 2 },
            { name: 'sound', test: /\/src\/web\/audio|\/recordings\/web\//, minShareCount: 2 },
            { name: 'lyrics', test: /\/(lyrics|teaching-notes)\//, minShareCount: 2 },
          ],
        },
      },
    },
  },
};

/**
 * Loads the app's scripts after the first paint if the HTML already shows a page (the sign-in page's skeleton
 * or a page rendered by the server), because on a slow connection the scripts would delay that paint. Other
 * pages are empty until the app runs, so the server preloads the scripts in their head.
 */
function paintedFirst(): Plugin {
  const program = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/;
  const preloads = /\s*<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g;
  const inline = (modules: string[]) => `
    <script type="module" nonce="__NONCE__">
      const start = () => {
        for (const link of document.querySelectorAll('link[data-later]')) link.rel = link.dataset.later;
        Promise.all(${JSON.stringify(modules)}.map((each) => import(each))).catch(() => {
          for (const each of document.querySelectorAll('[data-loading]'))
            each.textContent = 'This page could not be loaded. Please load it again.';
          document.getElementById('not-loaded').hidden = !document.querySelector('[data-rendered]');
        });
      };
      // A hidden tab paints nothing, so there is nothing to wait for.
      if (document.hidden || document.getElementById('for-visitors')?.hidden) start();
      else {
        // Falls back to a timeout in browsers that don't report the first paint.
        const late = setTimeout(start, 1_000);
        const painted = new PerformanceObserver(() => {
          painted.disconnect();
          clearTimeout(late);
          start();
        });
        painted.observe({ type: 'paint', buffered: true });
      }
    </script>`;
  return {
    name: 'painted-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const parts = [...html.matchAll(preloads)].map(([, href = '']) => href);
        return html
          .replace(preloads, '')
          .replace(program, (_, src: string) => inline([src, ...parts]).trim());
      },
    },
  };
}

/**
 * Builds the service worker with the list of files that it stores. The list leaves out fonts for rarely used
 * alphabets; the browser's HTTP cache may hold them.
 */
function offlineShell(): Plugin {
  const source = fileURLToPath(new URL('./src/main.service-worker.ts', import.meta.url));
  const isKept = (name: string) =>
    /\.(js|css|svg|woff2)$/.test(name) && !/(cyrillic|greek|vietnamese|latin-ext)/.test(name);
  return {
    name: 'offline-shell',
    apply: 'build',
    async generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter(isKept).sort();
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
      const shell = { version, files: files.map((name) => `/${name}`) };
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        define: { SHELL: JSON.stringify(shell) },
        build: {
          write: false,
          copyPublicDir: false,
          target: TARGET,
          // Not every browser supports module workers.
          rolldownOptions: { input: source, output: { format: 'iife' } },
        },
      });
      const [code] = (built as Rolldown.RolldownOutput).output;
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: code.code });
    },
  };
}

/** Writes a compressed copy of each script, style and SVG, so that the server need not compress them. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const names = await readdir(join(dir, 'assets'));
      for (const name of names.filter((each) => /\.(js|css|svg)$/.test(each))) {
        const path = join(dir, 'assets', name);
        const bytes = await readFile(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      }
    },
  };
}
