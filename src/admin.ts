import { createAdmin, resetAdmin, type Credentials } from './features/users/server/admins.ts';
import { email } from './platform/contract/shapes.ts';
import type { Db } from './db/database.ts';
import { prepareDataFolder } from './platform/server/data-folder-access.ts';
import { holdDataFolder } from './platform/server/data-folder.ts';
import { forOperator } from './platform/server/for-operator.ts';
import { adoptMedia } from './platform/server/installation.ts';
import { openLog, type Log } from './platform/server/log.ts';
import { openDiskStore } from './platform/server/media/disk.ts';
import { readSettings, type Settings } from './platform/server/settings.ts';
import { withDatabase } from './with-database.ts';

type Command = {
  /** The number of arguments. */
  takes: number;
  /** @returns what to print when it is done */
  run(db: Db, given: string[], settings: Settings, log: Log): Promise<string>;
  /** @throws a plain Error with a sentence, before the database is accessed */
  check?(given: string[]): void;
};

const commands: Record<string, Command> = {
  create: forTeacher(createAdmin, 'A teacher was made, who signs in with (this is shown only once):'),
  reset: forTeacher(
    resetAdmin,
    'This teacher is signed out everywhere, and signs in with (this is shown only once):',
  ),
  'adopt-media': {
    takes: 0,
    async run(db, _, settings, log) {
      await prepareDataFolder(settings.dataDir);
      const folder = await holdDataFolder(settings.dataDir, log);
      try {
        await adoptMedia(db, openDiskStore(folder.mediaFolder, folder.check), folder.mediaFolder);
      } finally {
        await folder.release();
      }
      return `The media in ${folder.mediaFolder} belong to this database from now on.`;
    },
  },
};

const USAGE = `Usage: npm run admin -- create EMAIL   makes a further teacher
       npm run admin -- reset EMAIL    gives a teacher a new password
       npm run admin -- adopt-media    lets database and media folder belong together, whatever was before
`;

/** The commands of the server's console, whether or not the program runs. @returns the exit code */
export async function administer(words: string[]): Promise<number> {
  const [name = '', ...given] = words;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || given.length !== command.takes || given.includes('')) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    command.check?.(given);
    const settings = readSettings(process.env);
    const log = openLog(settings.logLevel === 'info' ? 'warn' : settings.logLevel);
    const said = await withDatabase(settings, log, (db) => command.run(db, given, settings, log));
    process.stdout.write(`${said}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${forOperator(error)}\n`);
    return 1;
  }
}

function forTeacher(run: (db: Db, email: string) => Promise<Credentials>, done: string): Command {
  const addressOf = ([given]: string[]) => {
    const parsed = email.safeParse(given);
    if (!parsed.success) throw new Error(`This is not an email address: ${given}`);
    return parsed.data;
  };
  return {
    takes: 1,
    check: addressOf,
    async run(db, given) {
      const { username, password } = await run(db, addressOf(given));
      return `${done}\n  username  ${username}\n  password  ${password}`;
    },
  };
}
