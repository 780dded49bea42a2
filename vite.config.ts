import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';

/** Around every signed-in page. */
const FRAME = './src/platform/web/layout/layout.tsx';

/** Each of them is a file of its own. */
const ICON = /node_modules\/lucide-react\//;

export default defineConfig(({ isSsrBuild }) => (isSsrBuild ? forServer : forBrowser));

/**
 * `vite build --ssr`: the program, the process that decodes a file, and the components for rendering first screens. In
 * a few files with all they need: loading hundreds of modules is most of the work of a start. Native code stays where
 * it was installed.
 */
const forServer: UserConfig = {
  plugins: [react()],
  ssr: { noExternal: true, external: ['@node-rs/argon2', 'pg-native', 'sharp'] },
  // As for production, whatever the server's own NODE_ENV is.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    copyPublicDir: false,
    rolldownOptions: {
      input: [
        'src/main.server.ts',
        'src/main.admin.ts',
        'src/main.demo.ts',
        'src/main.render.tsx',
        'src/platform/server/decoding/decode.child.ts',
      ],
      // Names in errors and logs are those of the sources.
      output: { chunkFileNames: '[name].js', keepNames: true },
    },
  },
};

const forBrowser: UserConfig = {
  plugins: [react(), tailwindcss(), paintedFirst(), offlineShell(), compressed()],
  // The server puts each answer's own nonce in its place.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // The oldest browsers that the pages run in; oxlint.config.ts forbids what they lack.
    target: ['safari16.4', 'ios16.4', 'chrome111', 'edge111', 'firefox115'],
    // The server reads from it what to preload for which page.
    manifest: true,
    // `data:` is not allowed for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Left alone, two dozen small files would stand in line on a thin connection before the first page shows.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'signed-in', name: signedIn() }],
        },
      },
    },
  },
};

/**
 * Names the file of what signed-in pages share: all that their frame imports, what at least a third of the parts that
 * are fetched later import, and the icons; but nothing that the sign-in page has already. What it has, it has with all
 * that this imports: else it would import a file that imports it, and the built program would not start.
 */
function signedIn(): Rolldown.CodeSplittingNameFunction {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  let members: Set<string> | null = null;
  return (id, bundle) => {
    const these = (members ??= membersOf(bundle));
    return these.has(id) ? 'signed-in' : null;
  };

  function membersOf(bundle: Rolldown.ChunkingContext) {
    const imports = (id: string) => bundle.getModuleInfo(id)?.importedIds ?? [];
    const loadedLater = (id: string) => bundle.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
    const program = [here('./src/main.web.tsx')];
    const everything = reached(program, (id) => [...imports(id), ...loadedLater(id)]);
    const forVisitors = reached(program, imports);
    const ofFrame = reached([here(FRAME)], imports);
    const parts = [...new Set([...everything].flatMap(loadedLater))].map((id) => reached([id], imports));
    const isCommon = (id: string) => parts.filter((part) => part.has(id)).length >= parts.length / 3;
    const isShared = (id: string) => ofFrame.has(id) || isCommon(id) || ICON.test(id);
    return new Set([...everything].filter((id) => isShared(id) && !forVisitors.has(id)));
  }
}

function reached(from: readonly string[], next: (id: string) => readonly string[]) {
  const found = new Set(from);
  for (const id of found) for (const each of next(id)) found.add(each);
  return found;
}

/**
 * A visitor's page, and one that the server has rendered, is painted from its own HTML before the program is even
 * fetched: on a thin connection the two would share it. The others wait for the program alone; the server preloads it for
 * them, in the page's head.
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
        // Told of the first paint by the browser; the clock is for those that do not tell.
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
 * Writes the service worker beside the pages, with the list of what it keeps. Letters of scripts that few read are
 * left to the browser's own cache.
 */
function offlineShell(): Plugin {
  const source = new URL('./src/platform/web/offline/service-worker.ts', import.meta.url);
  const isKept = (name: string) =>
    /\.(js|css|woff2)$/.test(name) && !/(cyrillic|greek|vietnamese|latin-ext)/.test(name);
  return {
    name: 'offline-shell',
    apply: 'build',
    async generateBundle(_, bundle) {
      const files = Object.keys(bundle).filter(isKept).sort();
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12);
      const shell = { version, files: files.map((name) => `/${name}`) };
      const code = stripTypeScriptTypes(await readFile(source, 'utf8'));
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: `const SHELL = ${JSON.stringify(shell)};\n${code}`,
      });
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
