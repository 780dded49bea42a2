import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { fsyncFolder } from '#server/data-folder/fsync-folder.ts';
import { projectFolder } from '#server/config/project.ts';
import type { Settings } from '#server/config/settings.ts';
import { resolveFromCaller } from './backup.ts';

// `npm run update`, which installs a newer version next to the running one. Nothing in use changes until the last step,
// which switches a link, so a failed or killed update leaves the current version in place and can be repeated.

const PLATFORM = `${process.platform}-${process.arch}`;

/** Maximum duration of the new version's rehearsal, which copies and migrates the database. */
const REHEARSAL_TIMEOUT_MS = 30 * 60_000;

const UNCHANGED = 'Nothing was changed.';

const description = z.object({
  name: z.literal('yangchen'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** Platform for which an archive was made. A git clone has none. */
  release: z.string().optional(),
});

type Options = {
  /** Folder of the current version. */
  installed?: string;
  rehearsalTimeoutMs?: number;
};

/**
 * Unpacks an archive of a newer version, lets that version start with a copy of the database, makes a backup, and
 * switches the link through which the program is started.
 * @returns a text for the operator
 * @throws a plain Error, with a message for the operator, if the link was not switched
 */
export async function runUpdateCommand(
  [file = '']: string[],
  { dataDir, backupDir }: Pick<Settings, 'dataDir' | 'backupDir'>,
  { installed = projectFolder, rehearsalTimeoutMs = REHEARSAL_TIMEOUT_MS }: Options = {},
): Promise<string> {
  const archive = resolveFromCaller(file);
  const current = await readDescription(installed);
  const link = await findLink(installed);
  await assertOutside(dataDir, installed);
  await assertIntact(archive);

  const parent = dirname(installed);
  const temporary = join(parent, '.yangchen-update');
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  try {
    const unpacked = await unpack(archive, temporary);
    const next = await readDescription(unpacked);
    if (next.version === current.version) return `Yangchen ${next.version} is already installed.`;
    assertUsable(next, current.version);
    const target = join(parent, `yangchen-${next.version}`);
    if (target === installed) throw new Error(`${target} is the folder of the current version. ${UNCHANGED}`);
    const child = { cwd: unpacked, ...(await getOwner(dataDir)), env: { ...process.env, DATA_DIR: dataDir } };
    const rehearsed = await run(join(unpacked, 'yangchen'), ['admin', 'rehearse-update'], {
      ...child,
      timeout: rehearsalTimeoutMs,
      killSignal: 'SIGKILL',
    });
    if (!rehearsed)
      throw new Error(
        `Yangchen ${next.version} was not installed, because its test with a copy of your data failed. ${UNCHANGED} You can continue with Yangchen ${current.version}.`,
      );
    const backup = join(backupDir ?? dataDir, `before-${next.version}.tar`);
    for (const path of [backup, `${backup}.part`]) await rm(path, { force: true });
    const admin = join(installed, 'dist', 'web', '.server', 'main.admin.js');
    await run(process.execPath, [admin, 'backup', backup], child);
    // The exit code is 1 also for a complete backup if stored files were already damaged.
    if (!(await stat(backup).catch(() => null)))
      throw new Error(`The backup failed, so the update was not installed. ${UNCHANGED}`);
    // An earlier update that was interrupted, or went back, may have left this folder. Nothing links to it.
    await rm(target, { recursive: true, force: true });
    await rename(unpacked, target);
    // The link must not reach the disk before the files do.
    await promisify(execFile)('sync');
    await switchLink(link, target);
    return `Yangchen ${next.version} is installed in ${link}. Start it now, for example with: systemctl start yangchen`;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function readDescription(folder: string) {
  const parsed = description.safeParse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  if (!parsed.success) throw new Error(`This is not an archive of Yangchen. ${UNCHANGED}`);
  return parsed.data;
}

/** Returns the link next to the program's folder that points to it. */
async function findLink(installed: string): Promise<string> {
  const parent = dirname(installed);
  const links: string[] = [];
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    const path = join(parent, entry.name);
    if (entry.isSymbolicLink() && (await realpath(path).catch(() => null)) === installed) links.push(path);
  }
  const [link] = links;
  if (link === undefined)
    throw new Error(
      `An update switches a link next to ${installed}, and there is none. Create one, and start Yangchen through it: ln -s ${basename(installed)} ${join(parent, 'yangchen')}`,
    );
  if (links.length > 1)
    throw new Error(
      `Several links point to ${installed}: ${links.join(', ')}. Keep only the one that starts Yangchen.`,
    );
  return link;
}

async function assertOutside(dataDir: string, installed: string) {
  const path = await realpath(dataDir).catch((cause: unknown) => {
    throw new Error(`There is no data folder ${dataDir}. Set DATA_DIR as for the program.`, { cause });
  });
  if (!relative(installed, path).startsWith('..'))
    throw new Error(
      `The data folder ${path} is in the program’s folder, which an update replaces. Move it elsewhere, and set DATA_DIR.`,
    );
}

/** Checks an archive against the checksum next to it. */
async function assertIntact(archive: string) {
  const name = basename(archive);
  await stat(archive).catch((cause: unknown) => {
    throw new Error(`There is no file ${archive}.`, { cause });
  });
  const sums = await readFile(`${archive}.sha256`, 'utf8').catch((cause: unknown) => {
    throw new Error(`Put the file ${name}.sha256, which belongs to the archive, next to it.`, { cause });
  });
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  if (sums.split(/\s/, 1)[0] !== hash.digest('hex'))
    throw new Error(
      `${archive} is damaged or incomplete: its checksum is wrong. Download it again. ${UNCHANGED}`,
    );
}

/** @returns the folder that the archive contains */
async function unpack(archive: string, folder: string): Promise<string> {
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder, '--no-same-owner']);
  const [name = ''] = await readdir(folder);
  return join(folder, name);
}

function assertUsable({ version, release }: z.output<typeof description>, current: string) {
  if (!isNewer(version, current))
    throw new Error(`The archive contains Yangchen ${version}, which is older than ${current}. ${UNCHANGED}`);
  if (release !== PLATFORM)
    throw new Error(
      `This archive is for ${release}, and this machine needs one for ${PLATFORM}. ${UNCHANGED}`,
    );
}

function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const different = a.findIndex((part, index) => part !== b[index]);
  return different !== -1 && a[different]! > b[different]!;
}

/** Returns the user to run the program as. Root must not write files to a data folder that belongs to another user. */
async function getOwner(dataDir: string) {
  const { uid, gid } = await stat(dataDir);
  return process.getuid?.() === 0 ? { uid, gid } : {};
}

/** Runs a program in this terminal. Returns whether it succeeded. */
async function run(file: string, args: string[], options: Parameters<typeof spawn>[2]): Promise<boolean> {
  const [code] = (await once(spawn(file, args, { ...options, stdio: 'inherit' }), 'exit')) as [number | null];
  return code === 0;
}

/** Replaces the link in one step, so that it always points to a complete version. */
async function switchLink(link: string, target: string) {
  const fresh = `${link}.new`;
  await rm(fresh, { force: true });
  await symlink(basename(target), fresh);
  await rename(fresh, link);
  await fsyncFolder(dirname(link));
}
