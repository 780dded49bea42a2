import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectFolder } from '../config/project.ts';
import type { DecoderTask } from './tasks.ts';
import { getPermissionFlags } from './permissions.ts';

const run = promisify(execFile);
const dataDir = join(projectFolder, 'data-of-permissions-test');
const secret = join(dataDir, 'secret');
beforeAll(async () => {
  await mkdir(dataDir);
  await writeFile(secret, 'what somebody sang');
});
afterAll(() => rm(dataDir, { recursive: true }));

const tasks: DecoderTask[] = [
  { name: 'inspect', rules: { maxSeconds: 60 }, ffmpegPath: null },
  { name: 'thumbnail' },
  { name: 'features', seconds: 1, ffmpegPath: '/usr/bin/ffmpeg' },
];

/**
 * Runs a script with the permissions that this task has.
 * @returns its output
 */
async function runAs(task: DecoderTask, script: string): Promise<string> {
  const { stdout } = await run(process.execPath, [...getPermissionFlags(task), '--eval', script]);
  return stdout.trim();
}

it.each(tasks)(
  'without namespaces, the decoder for “$name” cannot read data or system files',
  async (task) => {
    const forbidden = [
      secret,
      join(projectFolder, 'README.md'),
      '/etc/passwd',
      `/proc/${process.pid}/environ`,
    ];
    const script = `for (const path of ${JSON.stringify(forbidden)})
    try { require('node:fs').readFileSync(path); console.log('read', path); }
    catch ({ code }) { console.log(code); }`;
    expect((await runAs(task, script)).split('\n')).toEqual(forbidden.map(() => 'ERR_ACCESS_DENIED'));
  },
);
