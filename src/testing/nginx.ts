import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainMissingPrograms } from '../../scripts/find-program.js';
import { killDaemon, SETPRIV, startDaemon, waitUntilListening } from './daemon.ts';
import { findFreePort } from './free-port.ts';

/** Returns what is missing on this machine; null if nginx can be started. */
export const explainMissingNginx = () => explainMissingPrograms(['nginx', SETPRIV], 'nginx-light');

export type NginxProxy = { url: string; end(): Promise<void> };

/**
 * Starts nginx in front of processes of the program.
 * @param servers their URLs
 * @param media folder from which nginx sends files on behalf of the servers; null if they send files themselves
 * @param options.takeTurns whether nginx alternates between the servers, so that two requests of one user reach
 * both. The deployed configuration does not alternate.
 */
export async function startNginx(
  servers: string[],
  media: string | null = null,
  { takeTurns = true } = {},
): Promise<NginxProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-nginx-'));
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, await createConfiguration(folder, port, servers, media, takeTurns));
  const nginx = startDaemon(folder, ['nginx', '-p', folder, '-c', file, '-e', 'stderr']);
  const end = async () => {
    await killDaemon(nginx);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilListening(nginx, folder, port);
  } catch (error) {
    await end();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, end };
}

/**
 * Adapts `deploy/nginx.conf` to these servers and this port, without TLS, for a system user other than root,
 * and with everything in one folder.
 */
async function createConfiguration(
  folder: string,
  port: number,
  servers: string[],
  media: string | null,
  takeTurns: boolean,
) {
  const deployed = await readFile(join(import.meta.dirname, '..', '..', 'deploy', 'nginx.conf'), 'utf8');
  const ours: [RegExp, string][] = [
    ...(takeTurns ? [[/^ {2}hash .*;$/m, ''] as [RegExp, string]] : []),
    [/( {2}server 127.*;\n)+/, servers.map((url) => `  server ${new URL(url).host} max_fails=0;\n`).join('')],
    [/^server \{\n {2}listen 80;[^}]*\}$/m, ''],
    [/^ {2}listen 443 ssl http2;$/m, `  listen 127.0.0.1:${port};`],
    [/^ {2}ssl_certificate .*;$/m, ''],
    [/^ {2}ssl_certificate_key .*;$/m, ''],
    // Lets a test choose the client IP address of its requests.
    [/X-Forwarded-For \$remote_addr;/, 'X-Forwarded-For $proxy_add_x_forwarded_for;'],
    [/alias .*\/media\/;/, `alias ${media ?? folder}/;`],
  ];
  const included = ours.reduce((text, [which, replacement]) => {
    if (!which.test(text)) throw new Error(`deploy/nginx.conf has nothing like ${which.source}`);
    return text.replace(which, () => replacement);
  }, deployed);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
${included}
}
`;
}
