import { createAdmin, resetAdmin, type Credentials } from './features/users/server/admins.ts';
import { email } from './platform/contract/shapes.ts';
import type { Db } from './db/database.ts';
import { forOperator } from './platform/server/for-operator.ts';
import { openLog } from './platform/server/log.ts';
import { readSettings } from './platform/server/settings.ts';
import { withDatabase } from './with-database.ts';

type Command = { run(db: Db, email: string): Promise<Credentials>; done: string };

const commands: Record<string, Command> = {
  create: { run: createAdmin, done: 'A teacher was made, who signs in with (this is shown only once):' },
  reset: {
    run: resetAdmin,
    done: 'This teacher is signed out everywhere, and signs in with (this is shown only once):',
  },
};

const USAGE = `Usage: npm run admin -- create EMAIL   makes a further teacher
       npm run admin -- reset EMAIL    gives a teacher a new password
`;

/** What can be done at the server's console, whether or not the program runs. @returns the exit code */
export async function administer(given: string[]): Promise<number> {
  const [name = '', address = '', ...rest] = given;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || address === '' || rest.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  try {
    const parsed = email.safeParse(address);
    if (!parsed.success) throw new Error(`This is not an email address: ${address}`);
    const settings = readSettings(process.env);
    const log = openLog(settings.logLevel === 'info' ? 'warn' : settings.logLevel);
    const { username, password } = await withDatabase(settings, log, (db) => command.run(db, parsed.data));
    process.stdout.write(`${command.done}\n  username  ${username}\n  password  ${password}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${forOperator(error)}\n`);
    return 1;
  }
}
