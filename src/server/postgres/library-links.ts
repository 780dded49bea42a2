import { lstat, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CannotStartPostgres } from './cannot-start.ts';

/**
 * Creates the symlinks between libraries (`libicuuc.so.60` → `libicuuc.so.60.2`) that npm can't pack. The package does
 * so itself after installation, but not if install scripts are disabled.
 */
export async function makeLibraryLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const link = join(packageFolder, target);
      // Links are relative to their own folder, so that the package can be moved.
      if (dirname(source) !== dirname(target))
        throw new Error(`Unexpected link in ${packageFolder}: ${target}`);
      if (!(await exists(link))) await makeLink(basename(source), link);
    }),
  );
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function makeLink(to: string, link: string): Promise<void> {
  try {
    await symlink(to, link);
  } catch (error) {
    // Another process was faster.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw new CannotStartPostgres(
      `PostgreSQL's libraries are not linked, and ${dirname(link)} can't be written to. ` +
        'Run npm rebuild there as its owner.',
      { cause: error },
    );
  }
}
