import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNoPrograms } from '../../scripts/find-program.js';
import { endDaemon, SETPRIV, startDaemon, untilListening } from './daemon.ts';
import { freePort } from './free-port.ts';

/** What is missing on this machine; null if nginx can be started. */
export const whyNoNginx = () => whyNoPrograms(['nginx', SETPRIV], 'nginx-light');

export type Proxy = { url: string; end(): Promise<void> };

/**
 * Starts nginx in front of processes of the program.
 * @param servers their URLs
 * @param media the folder that it sends from where they tell it to, if any
 * @param options.takeTurns whether two requests of one person meet both, which is not as deployed
 */
export async function startNginx(
  servers: string[],
  media: string | null = null,
  { takeTurns = true } = {},
): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, await configuration(folder, port, servers, media, takeTurns));
  const nginx = startDaemon(folder, ['nginx', '-p', folder, '-c', file, '-e', 'stderr']);
  const end = async () => {
    await endDaemon(nginx);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilListening(nginx, folder, port);
  } catch (error) {
    await end();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, end };
}

/**
 * `deploy/nginx.conf` for these servers, at this port, without TLS; for one who is not root and keeps everything in one
 * folder.
 */
async function configuration(
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
    // Tests say which address they come from.
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
