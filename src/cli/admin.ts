import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { runBackupCommand, runRestoreCommand } from './backup.ts';
import {
  createAdmin,
  removePasskeysByEmail,
  resetAdminPassword,
  type AdminCredentials,
} from '#features/people/users/server/admins.ts';
import { emailAddress } from '#shared/schemas.ts';
import { prepareDataFolder } from '#server/data-folder/data-folder-access.ts';
import { formatErrorForOperator } from '#server/format-error.ts';
import { adoptMedia } from '#server/data-folder/installation.ts';
import { openLog, type Log } from '#server/log.ts';
import { describeMediaLocation, withMediaStore } from '#server/media/open-store.ts';
import { isRelease } from '#server/config/project.ts';
import { readSettings, type Settings } from '#server/config/settings.ts';
import { runRehearsalCommand } from './rehearse-update.ts';
import { runUpdateCommand } from './update.ts';
import { runVerifyCommand } from './verify.ts';
import { withDatabase } from '#app/server/with-database.ts';

type Command = {
  /** Number of required arguments. */
  takes: number;
  /** Names of options. `run` receives those given after the arguments. */
  options?: readonly string[];
  /**
   * Runs the command.
   * @returns the text to print at the end, and the exit code if it is not 0
   */
  run(params: string[], settings: Settings, log: Log): Promise<string | { output: string; code: number }>;
  /** Exit code for a failure, if it is not 1. */
  failed?: number;
  /**
   * Checks the arguments before the database is accessed.
   * @throws a plain Error, whose message the operator sees
   */
  check?(params: string[]): void;
};

const REMOVE_PASSKEYS = '--remove-passkeys';

const commands: Record<string, Command> = {
  create: {
    takes: 1,
    check: parseEmail,
    async run(params, settings, log) {
      const made = await withDatabase(settings, log, (db) => createAdmin(db, parseEmail(params)));
      return `The teacher account was created. Its sign-in details (shown only once):\n${formatCredentials(made)}`;
    },
  },
  reset: { takes: 1, options: [REMOVE_PASSKEYS], check: parseEmail, run: resetPassword },
  'remove-passkeys': {
    takes: 1,
    check: parseEmail,
    async run(params, settings, log) {
      const count = await withDatabase(settings, log, (db) =>
        removePasskeysByEmail(db, parseEmail(params), settings),
      );
      return `Passkeys removed: ${count}. This account no longer needs one to sign in.`;
    },
  },
  'adopt-media': {
    takes: 0,
    run: (_, settings, log) =>
      withDatabase(settings, log, async (db) => {
        await prepareDataFolder(settings.dataDir);
        const place = describeMediaLocation(settings);
        await withMediaStore(settings, log, (store) => adoptMedia(db, store, place));
        return `The files in ${place.name} now belong to this database.`;
      }),
  },
  backup: { takes: 1, options: ['--verify'], run: runBackupCommand },
  restore: { takes: 1, run: runRestoreCommand },
  verify: { takes: 0, options: ['--after-failover', '--mend'], run: verifyAtLowPriority, failed: 2 },
  update: { takes: 1, run: (params, settings) => runUpdateCommand(params, settings) },
  'rehearse-update': { takes: 0, run: runRehearsalCommand },
};

const USAGE = `Usage: npm run admin -- create EMAIL   creates another teacher account
       npm run admin -- reset EMAIL    gives a teacher a new password; add --remove-passkeys to remove all passkeys too
       npm run admin -- remove-passkeys EMAIL   removes all passkeys, for someone who has lost theirs
       npm run admin -- adopt-media    links the stored files to this database, even if they belonged to another
       npm run backup -- FILE          saves everything to one file, whether or not the server is running
       npm run backup -- --verify FILE restores a backup in a test, beside the running server, and verifies it
       npm run restore -- FILE         fills an empty installation from a backup
       npm run verify [-- --mend]      checks the stored files against the database; --mend repairs what is safe to repair
       npm run verify -- --after-failover [--mend]   finds recordings that the database lost; --mend restores them
       npm run update -- ARCHIVE       installs a newer version while Yangchen is stopped
`;

/**
 * Runs an admin command. Prints its output to stdout, and errors and the usage to stderr.
 * @returns the exit code
 */
export async function runAdminCommand(words: string[]): Promise<number> {
  const [name = '', ...params] = words;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const options = command?.options?.filter((each) => params.includes(each)) ?? [];
  const args = params.filter((each) => !options.includes(each));
  if (!command || args.length !== command.takes || params.includes('')) {
    process.stderr.write(
      isRelease ? USAGE.replaceAll('npm run ', './yangchen ').replaceAll('-- ', '') : USAGE,
    );
    return 2;
  }
  try {
    command.check?.(args);
    const settings = readSettings(process.env);
    const log = openLog(settings.logLevel === 'info' ? 'warn' : settings.logLevel);
    const done = await command.run([...args, ...options], settings, log);
    const { output, code } = typeof done === 'string' ? { output: done, code: 0 } : done;
    process.stdout.write(`${output}\n`);
    return code;
  } catch (error) {
    process.stderr.write(`${formatErrorForOperator(error)}\n`);
    return command.failed ?? 1;
  }
}

/** Verifies at low priority, because people may be using the program. */
function verifyAtLowPriority(params: string[], settings: Settings, log: Log) {
  setPriority(constants.priority.PRIORITY_LOW);
  return runVerifyCommand(params, settings, log);
}

/**
 * Returns the email address in lower case.
 * @throws a plain Error, whose message the operator sees
 */
function parseEmail([given]: string[]): string {
  const parsed = emailAddress.safeParse(given);
  if (!parsed.success) throw new Error(`This isn’t an email address: ${given}`);
  return parsed.data;
}

async function resetPassword(params: string[], settings: Settings, log: Log): Promise<string> {
  const mayRemovePasskeys = (count: number) =>
    params.includes(REMOVE_PASSKEYS) ||
    askForConfirmation(
      `This teacher has ${count === 1 ? 'a passkey' : `${count} passkeys`}. Remove ${count === 1 ? 'it' : 'them'} too, in case someone else added one?`,
    );
  const done = await withDatabase(settings, log, (db) =>
    resetAdminPassword(db, parseEmail(params), settings, mayRemovePasskeys),
  );
  return [
    'This teacher is signed out everywhere. The new sign-in details (shown only once):',
    formatCredentials(done),
    ...(done.removed > 0 ? [`Passkeys removed: ${done.removed}.`] : []),
    ...(done.asksForPasskey
      ? [`A passkey is still required. To change that, run this again with ${REMOVE_PASSKEYS}.`]
      : []),
  ].join('\n');
}

/** Asks the operator for confirmation. Returns false without a terminal. */
async function askForConfirmation(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

const formatCredentials = ({ username, password }: AdminCredentials) =>
  `  username  ${username}\n  password  ${password}`;
