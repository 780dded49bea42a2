import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { api } from '#app/api.ts';
import { DEFAULT_DATABASE_TIMEOUTS } from '#server/db/pool.ts';
import { melodyAudioSlot } from '#features/melodies/limits.ts';
import { HEARTBEAT_INTERVAL_MS } from '#features/messages/notifications/server/streams.ts';
import { isUploadEndpoint, type Endpoint } from '#shared/endpoint.ts';
import { DEFAULT_HTTP_LIMITS } from '#server/http/limits.ts';
import { readSettings } from '#server/config/settings.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const dockerfile = read('deploy/Dockerfile');
const compose = read('deploy/compose.yaml');
const example = read('deploy/compose.env.example');
const unit = read('deploy/yangchen.service');
const nginx = read('deploy/nginx.conf');
const caddy = read('deploy/Caddyfile');

const namesOfSettings = [...read('src/server/config/settings.ts').matchAll(/^ {2}([A-Z\d_]+): /gm)].map(
  ([, name]) => name,
);
/**
 * Names in the deployment files that are not settings of our program: settings of other programs, and kernel
 * constants.
 */
const NO_SETTINGS = /^(POSTGRES_\w+|MINIO_\w+|MC_CONFIG_DIR|AF_\w+)$/;

test.each(Object.entries({ dockerfile, compose, example, unit, nginx, caddy }))(
  'every setting named in the deployment file “%s” exists',
  (_, text) => {
    const named = text.match(/\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/g) ?? [];
    expect(named.filter((name) => !NO_SETTINGS.test(name) && !namesOfSettings.includes(name))).toEqual([]);
  },
);

test('the program accepts the settings in compose.yaml', () => {
  const given = { ...variablesIn(example), ADMIN_PASSWORD: 'lotus-in-the-lake' };
  const secrets = { POSTGRES_PASSWORD: '0a1b2c', S3_SECRET_ACCESS_KEY: '3d4e5f' };
  const ofApp = compose.slice(compose.indexOf('\n  app:'), compose.indexOf('\n  database:'));
  const environment = Object.fromEntries(
    [...ofApp.matchAll(/^ {6}([A-Z\d_]+): (.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\$\{(\w+)(:-|:\?)([^}]*)\}/g, (_, from: string, kind: string, otherwise: string) => {
        const set = { ...given, ...secrets }[from];
        if (!set && kind === ':?') throw new Error(`compose.env.example does not name ${from}`);
        return set || otherwise;
      }),
    ]),
  );
  const settings = readSettings({ ...variablesIn(ofImage('ENV').replaceAll(' ', '\n')), ...environment });
  expect(settings).toMatchObject({
    host: '0.0.0.0',
    dataDir: '/data',
    trustProxy: 1,
    databaseUrl: 'postgres://yangchen:0a1b2c@database:5432/yangchen',
    s3: { bucket: 'songs' },
    mailServer: { host: 'mail', port: 1025 },
    mailFrom: { address: 'songs@example.org' },
  });
  expect(compose).toContain(`'127.0.0.1:3000:${settings.port}'`);
  expect(compose).toContain(`'data:${settings.dataDir}'`);
  expect(dockerfile).toContain(`VOLUME ${settings.dataDir}\nEXPOSE ${settings.port}\n`);
});

test('a release, its image and the systemd unit start the program like npm start', () => {
  const start = packageJson.scripts.start.replace('exec node ', '');
  const [options, program] = start.split(' dist/web/.server/');
  expect(read('deploy/yangchen')).toContain(`exec "$node" ${options} "$program/${program}"\n`);
  expect(JSON.parse(ofImage('CMD'))).toEqual(['./yangchen', 'start']);
  expect(unit).toContain(`\nExecStart=/opt/yangchen/node_modules/.bin/node ${start}\n`);
});

test('the limits in nginx.conf match the program’s limits', () => {
  const megabytes = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]);
  expect(megabytes * 1024 ** 2).toBeGreaterThan(melodyAudioSlot.tooLargeFrom + 1024 ** 2);
  expect(nginx).toContain(`limit_conn yangchen_address ${DEFAULT_HTTP_LIMITS.connections};`);
  expect(nginx).toContain(`client_header_timeout ${DEFAULT_HTTP_LIMITS.headersMs / 1000}s;`);
});

const seconds = (text: string | undefined) =>
  Number.parseInt(text ?? '', 10) * (text?.endsWith('m') ? 60 : 1);

const endpoints: Endpoint[] = Object.values(api).flatMap((group) => Object.values<Endpoint>(group));
/**
 * Endpoints that may take a long time: uploads, and invitations, which create up to a hundred users per
 * request.
 */
const takingLong = endpoints.filter(
  (each) => isUploadEndpoint(each) || each.path === '/api/admin/invite-users',
);
const named = ({ method, path }: Endpoint) => `${method} ${path.replaceAll(/\{\w*[iI]d\}/g, '12')}`;

test('the proxies use long timeouts only for uploads and invitations', () => {
  const [, ofNginx = ''] = /"~(\^.+)" 1;$/m.exec(nginx) ?? [];
  const [, methods = '', ofCaddy = ''] = /method (.+)\n\s+path_regexp (.+)$/m.exec(caddy) ?? [];
  const inNginx = endpoints.filter((each) => new RegExp(ofNginx).test(named(each).replace(' ', '')));
  const inCaddy = endpoints.filter(
    (each) =>
      methods.split(' ').includes(each.method) && new RegExp(ofCaddy).test(named(each).split(' ')[1]!),
  );
  // Starting an upload is quick, but it has the same URL as sending chunks.
  const allowed = [...takingLong, api.uploads.begin].map(named).sort();
  expect(inNginx.map(named).sort()).toEqual(allowed);
  expect(inCaddy.map(named).sort()).toEqual(allowed);
});

test('proxy timeouts catch a frozen process, but not a slow query or an idle stream', () => {
  const ofNginx = [...nginx.matchAll(/proxy_read_timeout (\w+);/g)].map(([, given]) => seconds(given));
  const ofCaddy = [...caddy.matchAll(/import upstream (\w+)$/gm)].map(([, given]) => seconds(given));
  const [general, uploads, stream] = ofNginx;
  expect([Math.min(...ofCaddy), Math.max(...ofCaddy)]).toEqual([general, uploads]);
  expect(general).toBeGreaterThan(DEFAULT_DATABASE_TIMEOUTS.silence / 1000);
  expect(general).toBeLessThan(20);
  expect(stream).toBeGreaterThan(HEARTBEAT_INTERVAL_MS / 1000);
  // A proxy with a shorter retry timeout would give up before it tries the other process.
  expect(seconds(/proxy_next_upstream_timeout (\w+);/.exec(nginx)?.[1])).toBeGreaterThan(general!);
  expect(seconds(/lb_try_duration (\w+)$/m.exec(caddy)?.[1])).toBeGreaterThan(general!);
});

test('every documented container restarts after a crash', () => {
  const commands = [dockerfile, read('docs/operations.md')].flatMap((text) =>
    [...text.matchAll(/docker run (?:[^\n]|(?<=\\)\n)+/g)].map(([command]) => command),
  );
  expect(commands).toHaveLength(2);
  for (const command of commands) expect(command).toContain(' --restart unless-stopped ');
  expect(compose.match(/^ {4}restart: unless-stopped$/gm)).toHaveLength(
    compose.match(/^ {4}(?:image|build): /gm)!.length,
  );
});

test('the proxies do not expose /metrics', () => {
  expect(nginx).toMatch(/location \/metrics \{\s+return 404;/);
  // A bare `respond` would be sorted after the catch-all `handle` and never reached.
  expect(caddy).toMatch(/\thandle \/metrics\* \{\s+respond 404\s+\}/);
});

/**
 * Returns the arguments of the last instruction of this kind in the Dockerfile, which belongs to the final
 * image.
 */
const ofImage = (instruction: string) =>
  [...dockerfile.matchAll(new RegExp(`^${instruction} (.+)$`, 'gm'))].at(-1)?.[1] ?? '';

const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z\d_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
