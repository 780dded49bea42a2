import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killProcess } from './kill-process.ts';

/** The command-line tool that is needed to start a daemon. */
export const SETPRIV = 'setpriv';

/**
 * Starts a server that is killed when this process ends. The server's output goes to `output.log` in the
 * folder.
 * @param privileges options of setpriv
 */
export function startDaemon(folder: string, command: string[], privileges: string[] = []): ChildProcess {
  const child = spawn(SETPRIV, [...privileges, '--pdeathsig', 'KILL', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Creates a process group, so that the daemon's children can be killed together with it.
    detached: true,
  });
  for (const output of [child.stdout, child.stderr])
    output.on(
      'data',
      (text: Buffer) => void appendFile(join(folder, 'output.log'), text).catch(() => undefined),
    );
  return child;
}

/**
 * Resolves once a server listens on a loopback port.
 * @throws with the server's output if the server exits first
 */
export async function waitUntilListening(child: ChildProcess, folder: string, port: number): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(10);
  }
  const output = await readFile(join(folder, 'output.log'), 'utf8').catch(() => '');
  throw new Error(`${child.spawnargs.join(' ')} did not start: ${output}`);
}

/** Kills the daemon and all processes that it has started. */
export async function killDaemon(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // Waits for the output to close, which happens once the last process of the group has ended.
  const ended = once(child, 'close');
  killProcess(-child.pid!);
  await ended;
}
