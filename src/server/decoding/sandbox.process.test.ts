import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { openSandbox } from './sandbox.ts';

const run = promisify(execFile);

const dataDir = await mkdtemp(join(tmpdir(), 'yangchen-hidden-'));
const elsewhere = await mkdtemp(join(tmpdir(), 'yangchen-elsewhere-'));
afterAll(() => Promise.all([dataDir, elsewhere].map((folder) => rm(folder, { recursive: true }))));
await writeFile(join(dataDir, 'secret'), 'what somebody sang');

const sandbox = await openSandbox({ hide: [dataDir, join(dataDir, 'none')] });

/**
 * Runs a shell script in the sandbox.
 * @returns its output
 */
async function inside(script: string): Promise<string> {
  const [file = '', ...args] = sandbox.wrap(['/bin/sh', '-c', script]);
  const { stdout } = await run(file, args);
  return stdout.trim();
}

describe.skipIf(sandbox.isolation === 'none')('sandbox of a compromised decoder', () => {
  it('a decoder cannot see the content of the data folder', async () => {
    expect(await inside(`ls -A ${dataDir}; cat ${dataDir}/secret 2>/dev/null || echo hidden`)).toBe('hidden');
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe('what somebody sang');
  });

  it('a decoder cannot unmount the empty folder that hides the data folder', async () => {
    expect(await inside(`umount ${dataDir} 2>/dev/null; ls -A ${dataDir} | wc -l`)).toBe('0');
  });

  it('a decoder cannot reach the network, not even a server on this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const knock = `require('net').connect(${port}, '127.0.0.1').on('connect', () => console.log('reached'))
      .on('error', ({ code }) => console.log(code))`;
    expect(await inside(`${process.execPath} -e "${knock}"`)).toMatch(
      /ENETUNREACH|ECONNREFUSED|EADDRNOTAVAIL/,
    );
    server.close();
  });

  it('a decoder cannot create a file in a temporary folder', async () => {
    expect(await inside(`touch ${elsewhere}/left 2>/dev/null && echo written || echo refused`)).toBe(
      'refused',
    );
  });

  it('a decoder cannot write to mounted file systems or to kernel settings', async () => {
    const points = (await readFile('/proc/self/mountinfo', 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[4] ?? '');
    expect(points).toContain('/proc');
    const paths = [...points, '/proc/sys/kernel/core_pattern', '/dev/shm', '/tmp', '/var/tmp'];
    expect(await inside(`for path in ${paths.join(' ')}; do test -w $path && echo $path; done; true`)).toBe(
      '',
    );
  });

  it('a decoder has no capabilities and cannot gain any', async () => {
    expect(await inside("grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status | tr -s '\\t\\n' ' '")).toBe(
      'CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1',
    );
  });
});
