import { execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect } from 'vitest';
import { explainMissingPrograms, findPostgresFolder } from '../../scripts/find-program.js';
import { SETPRIV, startDaemon, waitUntilListening } from './daemon.ts';
import { findFreePort } from './free-port.ts';
import { NOBODY_UID } from './for-system-users.ts';
import { killProcess } from './kill-process.ts';
import { findProcessIdsByFolder } from './program.ts';
import { waitFor } from './wait-for.ts';

const USER = 'yangchen';

/** Returns what is missing on this machine; null if PostgreSQL servers can be started. */
export const explainMissingPostgres = () =>
  findPostgresFolder()
    ? explainMissingPrograms([SETPRIV], 'util-linux')
    : 'there is no PostgreSQL server (Debian: apt-get install --no-install-recommends postgresql)';

/** A primary and a standby, and an address that leads to the primary. */
export type ReplicatedPostgres = {
  /** The address that leads to the primary. */
  url: string;
  /** Kills all processes of the primary at once, as when its machine dies. */
  killPrimary(): Promise<void>;
  /** Promotes the standby, then switches the address to it. Returns the time of the switch. */
  failOver(): Promise<number>;
  /** Builds a new standby in place of the server that was killed. */
  rebuildStandby(): Promise<void>;
  /** Stops sending changes to the standby, as on a broken network. */
  stopReplication(): Promise<void>;
  /** Runs a statement on the primary. */
  query<T extends pg.QueryResultRow>(statement: string): Promise<T[]>;
  end(): Promise<void>;
};

/**
 * Starts two of the operating system's PostgreSQL servers with streaming replication.
 * @param mode whether a commit waits until the standby has it
 */
export async function startReplicatedPostgres(
  mode: 'synchronous' | 'asynchronous',
): Promise<ReplicatedPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-postgres-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(folder, NOBODY_UID, NOBODY_UID);
  const asOther = isRoot
    ? [`--reuid=${NOBODY_UID}`, `--regid=${NOBODY_UID}`, '--clear-groups', '--no-new-privs']
    : [];
  const binary = (name: string) => join(findPostgresFolder()!, name);
  const run = (name: string, ...args: string[]) =>
    promisify(execFile)(SETPRIV, [...asOther, '--', binary(name), ...args], { cwd: folder });

  const address = await startSwitchableAddress();
  let started = 0;
  const running: Server[] = [];
  const end = async () => {
    await Promise.all(running.map(killServer));
    await address.end();
    await rm(folder, { recursive: true, force: true });
  };

  /** @param create fills the data folder */
  async function startServer(create: (dataFolder: string) => Promise<unknown>): Promise<Server> {
    started += 1;
    // All processes of the server show the name in their command line.
    const name = `${basename(folder)}-${started}`;
    const data = join(folder, name);
    await create(data);
    const port = await findFreePort();
    const settings = {
      ...{ port, cluster_name: name, listen_addresses: '127.0.0.1', unix_socket_directories: '' },
      ...{ fsync: 'off', max_connections: '200' },
    };
    const options = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const child = startDaemon(folder, [binary('postgres'), '-D', data, ...options], asOther);
    const server = { name, port, child };
    running.push(server);
    await waitUntilListening(child, folder, port);
    await waitFor(() => query(server, 'select 1'));
    return server;
  }

  async function startStandby(): Promise<Server> {
    const server = await startServer((data) =>
      run('pg_basebackup', '-D', data, '-R', '-c', 'fast', '--no-sync', '-d', buildUrl(primary.port)),
    );
    await waitFor(async () =>
      expect(
        await query(primary, `select 1 from pg_stat_replication where state = 'streaming'`),
      ).toHaveLength(1),
    );
    // Only now, because the standby has a copy of the settings and must not wait for a standby once promoted.
    if (mode === 'synchronous') await configure(primary, `set synchronous_standby_names = '*'`);
    return server;
  }

  let primary: Server;
  let standby: Server;
  try {
    primary = await startServer((data) =>
      run('initdb', '-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'),
    );
    standby = await startStandby();
    address.switchTo(primary.port);
  } catch (error) {
    await end();
    throw error;
  }

  return {
    url: buildUrl(address.port),
    killPrimary: () => killServer(primary),
    async failOver() {
      await query(standby, 'select pg_promote(true)');
      address.switchTo(standby.port);
      primary = standby;
      return performance.now();
    },
    async rebuildStandby() {
      standby = await startStandby();
    },
    async stopReplication() {
      await configure(standby, `set primary_conninfo = ''`);
      await waitFor(async () =>
        expect(await query(standby, 'select 1 from pg_stat_wal_receiver')).toEqual([]),
      );
    },
    query: (statement) => query(primary, statement),
    end,
  };
}

type Server = { name: string; port: number; child: ChildProcess };

// Uses the database that initdb creates.
const buildUrl = (port: number) => `postgres://${USER}@127.0.0.1:${port}/postgres`;

async function query<T extends pg.QueryResultRow>({ port }: Server, statement: string): Promise<T[]> {
  const client = new pg.Client(buildUrl(port));
  try {
    await client.connect();
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}

async function configure(server: Server, change: string) {
  await query(server, `alter system ${change}`);
  await query(server, 'select pg_reload_conf()');
}

async function killServer({ name, child }: Server) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // The output closes when the last process has ended.
  const ended = once(child, 'close');
  for (const pid of await findProcessIdsByFolder(name)) killProcess(pid);
  await ended;
}

/** Starts a TCP forwarder. Switching it cuts all connections, as HAProxy does when a server fails. */
async function startSwitchableAddress() {
  let target: number | null = null;
  const sockets = new Set<Socket>();
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(target ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    switchTo(port: number) {
      target = port;
      cutAll();
    },
    async end() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
