import { formatErrorForOperator } from '#server/format-error.ts';
import { openLog, type Log } from '#server/log.ts';
import { readSettings, SettingsError, type Settings } from '#server/config/settings.ts';
import { createSystemdNotifier } from '#server/process/systemd.ts';
import { startServer, type RunningServer, type WebFrontend } from './start.ts';

/** Maximum time from the first signal until the process exits. */
const SHUTDOWN_TIMEOUT_MS = 20_000;

/** Signals within this time count as one: a single Ctrl-C may arrive twice, from the terminal and from npm. */
const DUPLICATE_SIGNAL_MS = 1_000;

/**
 * Runs the program until a signal stops it or the start fails, then exits the process. Prints the URL and, if
 * the password of a new teacher was generated, the sign-in details.
 * @param variant the settings, pages and extra start-up work of this variant of the program
 */
export async function runServer(
  variant: {
    environment?: NodeJS.ProcessEnv;
    web?: WebFrontend;
    prepare?(running: RunningServer): Promise<string[]>;
  } = {},
): Promise<void> {
  let settings: Settings;
  try {
    settings = readSettings(variant.environment ?? process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const log = openLog(settings.logLevel);
  const systemd = createSystemdNotifier(process.env, log);

  // Handles signals from the very beginning, because one that arrives while the database starts must not
  // leave the database running.
  const ended = waitForShutdownSignal(log);

  let running: RunningServer | undefined;
  try {
    running = await startServer(settings, log, variant.web);
    printGreeting(settings, running, (await variant.prepare?.(running)) ?? []);
    systemd.ready();
  } catch (error) {
    log.debug({ error }, 'the start failed');
    process.stderr.write(`Could not start: ${formatErrorForOperator(error)}\n`);
    await running?.close();
    process.exit(1);
  }
  await ended;
  process.exit((await running.close()) ? 0 : 1);
}

/**
 * Resolves at the first signal. After that, a second signal or the shutdown timeout ends the process
 * immediately.
 */
function waitForShutdownSignal(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | null = null;
    const onSignal = () => {
      const now = performance.now();
      if (toldAt !== null) {
        if (now - toldAt < DUPLICATE_SIGNAL_MS) return;
        log.warn('second signal received; exiting without waiting');
        process.exit(1);
      }
      toldAt = now;
      setTimeout(() => {
        log.error('the shutdown takes too long; exiting without waiting');
        process.exit(1);
      }, SHUTDOWN_TIMEOUT_MS);
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

function printGreeting(settings: Settings, { url, firstAdmin }: RunningServer, more: string[]) {
  const lines = [`${settings.appName} listens on ${url}`];
  if (settings.publicUrl.hostname !== 'localhost')
    lines.push(`Its public address is ${settings.publicUrl.origin}`);
  if (firstAdmin?.generated) {
    lines.push(
      '',
      'The teacher’s sign-in details (shown only once):',
      `  username  ${firstAdmin.username}`,
      `  password  ${firstAdmin.password}`,
    );
  }
  process.stdout.write(`${[...lines, ...more].join('\n')}\n`);
}
