import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');

/**
 * Runs one of the project's scripts as an operator would on the command line. Returns the exit code and all
 * terminal output, without npm's own.
 */
export async function runScript(script: string, parameters: string[], environment: NodeJS.ProcessEnv) {
  const child = spawn('npm', ['--silent', 'run', script, '--', ...parameters], {
    cwd: PROJECT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
