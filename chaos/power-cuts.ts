import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgresBinaries } from '#server/postgres/binaries.ts';
import { createDataFolder } from '#testing/program.ts';
import { createDiskImage, type DiskImage } from './harness/disk-image.ts';
import type { ChaosOptions, Findings } from './harness/findings.ts';
import { killProgramAndDatabase, injectServerFaults, type ServerFault } from './harness/under-load.ts';

/** Safeguards that keep data on the disk. Each can be disabled for a run. */
export const DISK_SAFEGUARDS = ['file-sync', 'folder-sync', 'database-sync', 'write-errors'] as const;
export type DiskSafeguard = (typeof DISK_SAFEGUARDS)[number];

type DiskDisaster = 'power cut' | 'disk full';

const IMAGE_MEBIBYTES = 600;

/** Cuts the power to a disk, or fills the disk, while people work. */
export async function injectDiskFaults(
  options: ChaosOptions & { disasters: DiskDisaster[]; without?: DiskSafeguard },
): Promise<Findings> {
  // Creates a folder outside the disk that loses power.
  const extra = await createDataFolder();
  // Lets the system user that runs the database read the folder.
  await chmod(extra.dataDir, 0o755);
  const disk = await createDiskImage(IMAGE_MEBIBYTES);
  try {
    const faults = createDiskFaults(disk);
    return await injectServerFaults({
      ...{ ...options, without: undefined },
      faults: options.disasters.map((each) => [each, faults[each]]),
      dataDir: `${disk.folder}/data`,
      environment: await getEnvironmentWithout(options.without, extra.dataDir),
    });
  } finally {
    await disk.remove();
    await extra.remove();
  }
}

const createDiskFaults = (disk: DiskImage): Record<DiskDisaster, ServerFault> => ({
  'power cut': {
    program: 'ends',
    async fault({ program, stopPeople }) {
      await killProgramAndDatabase(program);
      await stopPeople();
      await disk.cutPower();
    },
  },
  'disk full': {
    // The database may exit if it can't write. Then the program exits too.
    program: 'may end',
    async fault({ exited }) {
      const free = await disk.fill();
      await Promise.race([wait(4_000), exited]);
      await free();
      await Promise.race([wait(1_000), exited]);
    },
  },
});

async function getEnvironmentWithout(safety: DiskSafeguard | undefined, folder: string) {
  if (!safety) return {};
  if (safety === 'database-sync') return { PG_BIN_DIR: await createBinariesWithoutSync(folder) };
  return {
    NODE_OPTIONS: `--import=${import.meta.dirname}/harness/without-safety.ts`,
    CHAOS_WITHOUT: safety,
  };
}

/** Creates scripts that run the database programs with fsync turned off. @returns the folder of the scripts */
async function createBinariesWithoutSync(folder: string): Promise<string> {
  const { initdb, postgres, env } = await findPostgresBinaries(undefined);
  const libraries = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  const script = (program: string, before = '') =>
    `#!/bin/sh\n${libraries.join('')}${before}exec '${program}' "$@"\n`;
  const binaries = join(folder, 'binaries');
  await mkdir(binaries, { mode: 0o755 });
  await writeFile(join(binaries, 'initdb'), script(initdb), { mode: 0o755 });
  const withoutSync = 'case "$1" in -D) set -- "$@" -c fsync=off ;; esac\n';
  await writeFile(join(binaries, 'postgres'), script(postgres, withoutSync), { mode: 0o755 });
  return binaries;
}
