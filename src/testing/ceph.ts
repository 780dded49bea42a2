import { execFile, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { explainMissingPrograms } from '../../scripts/find-program.js';
import { killDaemon, SETPRIV, startDaemon, waitUntilListening } from './daemon.ts';
import { findFreePort } from './free-port.ts';

const PROGRAMS = [
  ...['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', SETPRIV],
  ...['monmaptool', 'radosgw', 'radosgw-admin'],
];

export type CephCluster = {
  folder: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Credentials of a second user, who may not access the buckets of the first. */
  stranger: { accessKeyId: string; secretAccessKey: string };
};

export type TestS3 = CephCluster & { endpoint: string };

export type CephGateway = { endpoint: string; kill(): Promise<void>; restart(): Promise<void> };

/** Returns what is missing on this machine; null if a store can be started. */
export const explainMissingCeph = () => explainMissingPrograms(PROGRAMS, 'radosgw ceph-mon ceph-osd');

/** The bucket shared by all tests. Each test uses a prefix of its own. */
export const TEST_BUCKET = 'yangchen-tests';

/** Starts a cluster with one gateway and one bucket. */
export async function startS3(): Promise<{ s3: TestS3; end(): Promise<void> }> {
  const { ceph, stop } = await startCeph();
  try {
    const { endpoint, kill } = await startCephGateway(ceph);
    const s3 = { ...ceph, endpoint };
    await createBucket(s3, TEST_BUCKET);
    const end = async () => {
      await kill();
      await stop();
    };
    return { s3, end };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the settings that store media in the shared bucket. */
export const toS3Environment = ({ endpoint, accessKeyId, secretAccessKey }: TestS3) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: TEST_BUCKET,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
});

/**
 * Starts a Ceph cluster of one monitor and one in-memory store on loopback. The S3 gateways are started
 * separately, by {@link startCephGateway}.
 */
async function startCeph(): Promise<{ ceph: CephCluster; stop(): Promise<void> }> {
  // Uses /tmp if TMPDIR is long, because socket paths have at most 107 bytes.
  const folder = await mkdtemp(join(tmpdir().length > 40 ? '/tmp' : tmpdir(), 'ceph-'));
  const daemons: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(daemons.toReversed().map(killDaemon));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const keys = { accessKeyId: createKey(), secretAccessKey: createKey() };
    const stranger = { accessKeyId: createKey(), secretAccessKey: createKey() };
    const fsid = randomUUID();
    const monitor = `v2:127.0.0.1:${await findFreePort()}/0`;
    await writeFile(join(folder, 'ceph.conf'), createConfiguration(folder, fsid, monitor));
    const at = (name: string) => join(folder, name);
    const tool = (name: string, ...args: string[]) => run(name, ['-c', at('ceph.conf'), ...args]);

    const keyring = at('keyring');
    const all = ['mon', 'osd', 'mgr'].flatMap((part) => ['--cap', part, 'allow *']);
    await run('ceph-authtool', [
      '--create-keyring',
      keyring,
      '--gen-key',
      '-n',
      'mon.',
      '--cap',
      'mon',
      'allow *',
    ]);
    await run('ceph-authtool', [keyring, '--gen-key', '-n', 'client.admin', ...all]);
    await run('ceph-authtool', [keyring, '--gen-key', '-n', 'osd.0', ...all]);
    await run('monmaptool', ['--create', '--addv', 'a', `[${monitor}]`, '--fsid', fsid, at('monmap')]);
    await mkdir(at('mon'));
    await mkdir(at('osd'));
    await tool('ceph-mon', '--mkfs', '-i', 'a', '--monmap', at('monmap'), '--keyring', keyring);
    daemons.push(startCephDaemon('ceph-mon', folder, '-i', 'a'));
    const osd = randomUUID();
    await tool('ceph', '--connect-timeout', '60', 'osd', 'create', osd, '0');
    await tool('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd, '--keyring', keyring);
    daemons.push(startCephDaemon('ceph-osd', folder, '-i', '0'));
    for (const [uid, own] of Object.entries({ yangchen: keys, stranger })) {
      const given = ['--access-key', own.accessKeyId, '--secret-key', own.secretAccessKey];
      await tool('radosgw-admin', 'user', 'create', '--uid', uid, '--display-name', uid, ...given);
    }
    return { ceph: { folder, ...keys, stranger }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts an S3 server in front of a cluster, on a port of its own. */
export async function startCephGateway({ folder }: Pick<CephCluster, 'folder'>): Promise<CephGateway> {
  const port = await findFreePort();
  const endpoint = `http://127.0.0.1:${port}`;
  let running: ChildProcess | null = null;
  const gateway = {
    endpoint,
    async kill() {
      if (running) await killDaemon(running);
      running = null;
    },
    async restart() {
      running = startCephDaemon(
        'radosgw',
        folder,
        '-n',
        'client.admin',
        '--rgw-frontends',
        `beast endpoint=127.0.0.1:${port}`,
      );
      await waitUntilListening(running, folder, port);
    },
  };
  await gateway.restart();
  return gateway;
}

const createConfiguration = (folder: string, fsid: string, monitor: string) => `
[global]
fsid = ${fsid}
mon initial members = a
mon host = [${monitor}]
public addr = 127.0.0.1
ms bind msgr1 = false
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
keyring = ${folder}/keyring
run dir = ${folder}
log file = ${folder}/$name.log
admin socket =
crash dir = ${folder}
mon data = ${folder}/mon
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd crush chooseleaf type = 0
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
mon allow pool size one = true
mon max pg per osd = 1000
rgw thread pool size = 64
`;

const startCephDaemon = (name: string, folder: string, ...args: string[]) =>
  startDaemon(folder, [name, '-f', '-c', join(folder, 'ceph.conf'), ...args]);

const run = (name: string, args: string[]) => promisify(execFile)(name, args, { timeout: 90_000 });

const createKey = () => randomBytes(12).toString('hex');

async function createBucket({ endpoint, accessKeyId, secretAccessKey }: TestS3, name: string) {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  client.destroy();
}
