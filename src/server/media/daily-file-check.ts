import type { Log } from '../log.ts';
import type { Staging } from './staging.ts';
import type { FileFinding, VerificationTask, VerifyFiles } from './verification.ts';

/** Maximum number of file names in a log line. */
const MAX_NAMED_FILES = 20;

type Deps = { verify: VerifyFiles; staging: Pick<Staging, 'sweep'>; log: Pick<Log, 'info' | 'error'> };

/** Number of files set aside, and number of staged files deleted. */
type SweepResult = { files: number; staged: number };

/** Creates the daily check of the files. It makes safe repairs, logs the findings and notifies the teacher. */
export function createDailyFileCheck({ verify, staging, log }: Deps) {
  return async function round(
    task: Pick<VerificationTask, 'before' | 'read'> & { signal?: AbortSignal },
  ): Promise<SweepResult> {
    // Deletes staged files that a crash left behind. The server never acknowledged them.
    const staged = await staging.sweep(task.before);
    if (staged > 0) log.info({ files: staged }, 'deleted staged files that a crash left over');
    const some: string[] = [];
    let files = 0;
    const done = await verify({
      ...task,
      repair: true,
      isMaintenance: true,
      onFound: (findings) => findings.forEach(say),
    });
    if (done?.isHeld) log.error({ files: done.found.unnamed, of: done.files, some }, TOO_MANY_UNNAMED);
    return { files, staged };

    function say({ kind, name, repaired }: FileFinding) {
      if (kind === 'aside') log.info({ name }, 'restored a file that had been set aside');
      if (kind !== 'unnamed') return;
      if (!repaired && some.length < MAX_NAMED_FILES) some.push(name);
      if (!repaired) return;
      files += 1;
      log.info({ name }, 'set a file aside that nothing names');
    }
  };
}

const TOO_MANY_UNNAMED =
  'no files were moved: too many are not listed in the database to be left over from a crash; check that this is the right database and not an older copy';
