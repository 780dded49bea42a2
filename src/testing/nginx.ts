import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from '../../scripts/find-chromium.js';
import { freePort } from './free-port.ts';

/** What is missing on this machine; null if nginx can be started. */
export const whyNoNginx = () => (findProgram('nginx') ? null : 'there is no nginx (Debian: nginx-light)');

export type Proxy = { url: string; port: number; end(): Promise<void> };

/**
 * Starts nginx in front of processes of the program.
 * @param servers their URLs
 * @param media the folder that it sends from where they tell it to, if any
 */
export async function startNginx(servers: string[], media: string | null = null): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, port, servers, media));
  const nginx = spawn(findProgram('nginx')!, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  nginx.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await untilListening(nginx, port, () => said);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async end() {
      if (nginx.exitCode === null && nginx.kill('SIGTERM')) await once(nginx, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(nginx: ChildProcess, port: number, said: () => string) {
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx did not start: ${said()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await sleep(5);
  }
}

/** As `deploy/nginx.conf` has it, for one who is not root and keeps everything in one folder. */
const configuration = (folder: string, port: number, servers: string[], media: string | null) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream yangchen {
    ${servers.map((url) => `server ${new URL(url).host} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 0;
    location / {
      proxy_pass http://yangchen;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_request_buffering off;
      proxy_next_upstream error timeout;
      proxy_connect_timeout 2s;
      proxy_read_timeout 300s;
    }
    ${media === null ? '' : sentFrom(media)}
  }
}
`;

/** Headers of the program that nginx would leave out. */
const sentFrom = (media: string) => `location /stored/ {
      internal;
      alias ${media}/;
      etag off;
      add_header ETag $upstream_http_etag;
      add_header Vary $upstream_http_vary;
      add_header Content-Security-Policy $upstream_http_content_security_policy;
      add_header X-Content-Type-Options $upstream_http_x_content_type_options;
      add_header Referrer-Policy $upstream_http_referrer_policy;
      add_header Strict-Transport-Security $upstream_http_strict_transport_security;
    }`;
