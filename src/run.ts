import { forOperator } from './platform/server/for-operator.ts';
import { openLog } from './platform/server/log.ts';
import { readSettings, SettingsError, type Settings } from './platform/server/settings.ts';
import { start, type Running, type WebServing } from './start.ts';

/**
 * Runs the program until it is told to end, and says on the terminal what a person needs to know.
 * @param prepare what a variant of the program does once it is up
 */
export async function run(
  variant: {
    environment?: NodeJS.ProcessEnv;
    web?: WebServing;
    prepare?(running: Running): Promise<string[]>;
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

  // From the first moment on: a signal that comes while the database starts must not leave it behind.
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  process.on('SIGTERM', end).on('SIGINT', end);

  let running: Running | undefined;
  try {
    running = await start(settings, log, variant.web);
    greet(settings, running, (await variant.prepare?.(running)) ?? []);
  } catch (error) {
    log.debug({ error }, 'the start failed');
    process.stderr.write(`Could not start: ${forOperator(error)}\n`);
    await running?.close();
    process.exit(1);
  }
  await ended;
  await running.close();
  process.exit(0);
}

function greet(settings: Settings, { address, firstAdmin }: Running, more: string[]) {
  const lines = [`${settings.appName} listens on ${address}`];
  if (settings.publicUrl.hostname !== 'localhost')
    lines.push(`People reach it at ${settings.publicUrl.origin}`);
  if (firstAdmin?.generated) {
    lines.push(
      '',
      'The teacher signs in with (this is shown only once):',
      `  username  ${firstAdmin.username}`,
      `  password  ${firstAdmin.password}`,
    );
  }
  process.stdout.write(`${[...lines, ...more].join('\n')}\n`);
}
