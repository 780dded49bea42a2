import { execFile } from 'node:child_process';
import type { Log } from '../log.ts';

/** Number of watchdog messages within each `WatchdogSec`. */
const MESSAGES_PER_INTERVAL = 3;
const TIMEOUT_MS = 10_000;

/**
 * Creates a notifier that reports to systemd that the program has started. After that, it regularly reports
 * that the event loop runs, so that a unit with `WatchdogSec` restarts a frozen program. Without systemd, it
 * does nothing. It runs `systemd-notify`, which is part of systemd, because Node can't send to a datagram
 * socket.
 * @param environment the process's variables; systemd's are removed, because they are meant only for this
 * process
 */
export function createSystemdNotifier(environment: NodeJS.ProcessEnv, log: Pick<Log, 'error'>) {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH } = environment;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete environment[name];
  const intervalMs = Number(WATCHDOG_USEC ?? 0) / 1000 / MESSAGES_PER_INTERVAL;
  let timer: NodeJS.Timeout | undefined;

  function notify(message: string) {
    const options = { env: { PATH, NOTIFY_SOCKET }, timeout: TIMEOUT_MS };
    execFile('systemd-notify', [message], options, (error) => {
      if (error) log.error({ error, message }, 'systemd could not be notified');
    });
  }

  return {
    ready() {
      if (!NOTIFY_SOCKET) return;
      notify('READY=1');
      if (intervalMs > 0) timer = setInterval(notify, intervalMs, 'WATCHDOG=1');
    },
    stop: () => clearInterval(timer),
  };
}
