import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Runs a program in this terminal, and forwards to it the signals that would stop this process.
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void }} [options] `onOutput`
 *   receives its output instead of the terminal
 * @returns {Promise<number>} its exit code; 128 + the number of the signal that ended it; 127 if the program
 *   does not exist. After forwarding a signal, this process exits instead, with 128 + the signal's number.
 */
export function runCommand(file, args, { onOutput, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: onOutput ? 'pipe' : 'inherit', ...options });
    if (onOutput)
      for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
    child.stdin?.end();
    /** @type {NodeJS.Signals | null} */
    let received = null;
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      received = signal;
      child.kill(signal);
    };
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
    for (const signal of signals) process.on(signal, pass);
    /** @param {number} code */
    const end = (code) => {
      for (const signal of signals) process.off(signal, pass);
      if (received) process.exit(128 + constants.signals[received]);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(`${file} could not be run: ${error.message}`);
      end(127);
    });
    child.once('close', (code, signal) => end(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
  });
}

/**
 * Returns the path of the project's own Node, or of the running Node if npm has no package for the platform
 * (macOS).
 * @param {string} project
 */
export function getProjectNodePath(project) {
  const own = join(project, 'node_modules', '.bin', 'node');
  return existsSync(own) ? own : process.execPath;
}

/**
 * Returns the folders of the system's PATH, without those that npm prepends.
 * @returns {string[]}
 */
export const getSystemPathFolders = () =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
