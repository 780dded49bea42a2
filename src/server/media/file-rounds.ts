import type { Log } from '../log.ts';
import type { Staging } from './staging.ts';
import type { Finding, Task, Verification } from './verification.ts';

/** Maximum number of files without a row that are named in the log. */
const NAMED_AT_MOST = 20;

type Deps = { verify: Verification; staging: Pick<Staging, 'sweep'>; log: Pick<Log, 'info' | 'error'> };

/** Numbers of files set aside and of staged files deleted. */
type Swept = { files: number; staged: number };

/**
 * Creates the daily check of the files. It repairs what it safely can, logs the findings and notifies the teacher.
 */
export function fileRoundsOf({ verify, staging, log }: Deps) {
  return async function round(
    task: Pick<Task, 'before' | 'read'> & { signal?: AbortSignal },
  ): Promise<Swept> {
    // Staged files were never acknowledged.
    const staged = await staging.sweep(task.before);
    if (staged > 0) log.info({ files: staged }, 'deleted staged files that a crash left over');
    const some: string[] = [];
    let files = 0;
    const done = await verify({
      ...task,
      mend: true,
      isUpkeep: true,
      onFound: (findings) => findings.forEach(say),
    });
    if (done?.isHeld) log.error({ files: done.found.unnamed, of: done.files, some }, HELD);
    return { files, staged };

    function say({ what, name, mended }: Finding) {
      if (what === 'aside') log.info({ name }, 'restored a file that had been set aside');
      if (what !== 'unnamed') return;
      if (!mended && some.length < NAMED_AT_MOST) some.push(name);
      if (!mended) return;
      files += 1;
      log.info({ name }, 'set a file aside that nothing names');
    }
  };
}

const HELD =
  'no files were moved: too many are not listed in the database to be left over from a crash; check that this is the right database';
