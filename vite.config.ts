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

/** Syntax is lowered to it; what these lack besides is found by scripts/browsers.ts. */
const TARGET = Object.entries(OLDEST_BROWSERS).map(([name, version]) => `${name}${version}`);

/** Around every signed-in page. */
const FRAME = './src/app/web/layout/layout.tsx';

/** Where people spend their time. */
const LIBRARY = './src/features/library/web/melodies-page.tsx';

/** With all that dialogs are made of. */
const DIALOGS = './src/web/ui/alert-dialog.tsx';

/** Every page reaches them through the index of their package, but few use them: they go along with those. */
const LISTED_ONLY =
  /@tanstack\/(react-query|query-core)\/.*\/(useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** The pages of the teacher that manage people, and the parts of them that come later. */
const PEOPLE =
  /\/src\/(features\/people\/(users|invitations|registrations)\/web|app\/web\/pages\/users-page)/;

/** What sends recordings beside every page has them, and so do a few pages: they are not worth files of their own. */
const SMALL = /\/uploads\/(new-id|retry-schedule|failed-try)\.ts$/;

/** Each of them is a file of its own. */
const ICON = /node_modules\/lucide-react\//;
/** Imports all of them, but whoever imports it uses a few. */
const ALL_ICONS = /node_modules\/lucide-react\/.*\/lucide-react\.m?js$/;

/** Finds the files of the icons that a module imports by their names. */
function iconsIn(codeOf: (id: string) => string) {
  let files: Map<string, string> | null = null;
  const filesIn = (index: string) =>
    new Map(
      [...codeOf(index).matchAll(/export \{([^}]*)\} from ['"]\.\/(icons\/[^'"]+)['"]/g)].flatMap(
        ([, names = '', file = '']) =>
          [...names.matchAll(/as (\w+)/g)].map(([, name = '']) => [name, join(index, '..', file)] as const),
      ),
    );
  return (id: string, index: string) => {
    files ??= filesIn(index);
    return [...codeOf(id).matchAll(/import \{([^}]*)\} from ['"]lucide-react['"]/g)]
      .flatMap(([, names = '']) => names.split(','))
      .flatMap((name) => files?.get(name.trim().replace(/ as .*$/s, '')) ?? []);
  };
}

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
        'src/main.decode.ts',
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
  // What the router brings for React before 18, React has itself.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: TARGET,
    // The server reads from it what to preload for which page.
    manifest: true,
    // `data:` is not allowed for fonts and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The first file of every page names all others: each character of a hash costs it some 70 bytes on the way.
        hashCharacters: 'base36',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // Left alone, two dozen small files would stand in line on a thin connection before the first page shows.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'shared', name: sharedFiles() }],
        },
      },
    },
  },
};

/**
 * Names the files of what pages share, in this order; a module belongs to the first that it fits.
 * - `program`: all that the sign-in page needs, and so every page.
 * - `signed-in`: all that the frame needs, and what the library shares with other pages.
 * - `dialogs`: what only pages with a dialog need.
 * - `people`: what only the pages that manage people share.
 * - `common`: what at least a third of the parts that are fetched later need, and all other icons.
 *
 * Each imports only those before it: of two files that import each other, the built program would not start.
 */
function sharedFiles(): Rolldown.CodeSplittingNameFunction {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  let files: Map<string, string> | null = null;
  return (id, bundle) => (files ??= filesOf(bundle)).get(id) ?? null;

  function filesOf(bundle: Rolldown.ChunkingContext) {
    const codeOf = (id: string) => bundle.getModuleInfo(id)?.code ?? '';
    const icons = iconsIn(codeOf);
    const imports = (id: string) =>
      (bundle.getModuleInfo(id)?.importedIds ?? []).flatMap((each) =>
        ALL_ICONS.test(each) ? [each, ...icons(id, each)] : ALL_ICONS.test(id) ? [] : [each],
      );
    const loadedLater = (id: string) => bundle.getModuleInfo(id)?.dynamicallyImportedIds ?? [];
    const entry = here('./src/main.web.tsx');
    const program = reached(imports(entry), imports);
    const everything = reached([...program], (id) => [...imports(id), ...loadedLater(id)]);
    const sorted = [...everything].filter((id) => !LISTED_ONLY.test(id));
    const parts = [...new Set([...everything].flatMap(loadedLater))].map((id) => reached([id], imports));
    const partsWith = (id: string) => parts.filter((part) => part.has(id)).length;
    const frame = reached([here(FRAME)], imports);
    const library = reached([here(LIBRARY)], imports);
    const dialogs = new Set(
      [...reached([here(DIALOGS)], imports)].filter(
        (id) => !program.has(id) && !frame.has(id) && !library.has(id),
      ),
    );
    const isWithoutDialog = (id: string) => ![...reached([id], imports)].some((each) => dialogs.has(each));
    const isOfPeople = (id: string) =>
      !ICON.test(id) && parts.every((part) => !part.has(id) || PEOPLE.test([...part][0] ?? ''));
    const groups: [name: string, has: (id: string) => boolean][] = [
      ['program', (id) => program.has(id)],
      [
        'signed-in',
        (id) => frame.has(id) || SMALL.test(id) || (library.has(id) && (ICON.test(id) || partsWith(id) > 1)),
      ],
      ['dialogs', (id) => dialogs.has(id)],
      ['people', (id) => partsWith(id) > 1 && isOfPeople(id)],
      ['common', (id) => ICON.test(id) || (partsWith(id) >= parts.length / 3 && isWithoutDialog(id))],
    ];
    return new Map(
      sorted.flatMap((id) =>
        groups
          .filter(([, has]) => has(id))
          .slice(0, 1)
          .map(([name]) => [id, name]),
      ),
    );
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
          // Not every browser runs workers as modules.
          rolldownOptions: { input: source, output: { format: 'iife' } },
        },
      });
      const [code] = (built as Rolldown.RolldownOutput).output;
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: code.code });
    },
  };
}

/** Lays a compressed form beside each script, style and drawing, so that serving them costs nothing. */
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
