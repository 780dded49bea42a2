import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '#testing/wait-for.ts';
import { createSystemdNotifier } from './systemd.ts';

let folder: string;
const log = { error: vi.fn() };

/** Puts a fake systemd-notify, which records its messages, on the PATH. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yangchen-test-'));
  const script = `#!/bin/sh\necho "$NOTIFY_SOCKET $1" >> ${folder}/messages\n`;
  writeFileSync(join(folder, 'systemd-notify'), script, { mode: 0o755 });
  writeFileSync(join(folder, 'messages'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

const messages = () => readFileSync(join(folder, 'messages'), 'utf8').split('\n').slice(0, -1);
const environment = (given: NodeJS.ProcessEnv) => ({ PATH: `${folder}:/bin`, ...given });

test('notifies systemd when the program is ready, then pings the watchdog regularly', async () => {
  const given = environment({ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '600000', WATCHDOG_PID: '1' });
  const systemd = createSystemdNotifier(given, log);
  // Checks that the variables are removed. Otherwise, a database server started later could send messages for
  // the program.
  expect(Object.keys(given)).toEqual(['PATH']);
  systemd.ready();
  const sent = (message: string) => messages().filter((line) => line === `/run/notify ${message}`).length;
  await waitFor(() => expect([sent('READY=1'), sent('WATCHDOG=1') >= 2]).toEqual([1, true]));
  systemd.stop();
  expect(log.error).not.toHaveBeenCalled();
});

test('logs an error if systemd-notify is missing', async () => {
  const systemd = createSystemdNotifier({ PATH: join(folder, 'nowhere'), NOTIFY_SOCKET: '/run/notify' }, log);
  systemd.ready();
  await waitFor(() => expect(log.error).toHaveBeenCalledOnce());
});
