import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What keeps a decoder away from everything but the file that it is handed. */
export type Sandbox = {
  /** 'none' where the system has no namespaces, or forbids them: then Node's permission model alone remains. */
  isolation: 'namespaces' | 'none';
  /** The command that runs `command` inside. It keeps its process number and its open files. */
  wrap(command: string[]): string[];
};

export const noSandbox: Sandbox = { isolation: 'none', wrap: (command) => command };

/**
 * Run inside new namespaces, as their root: covers folders with an empty one, makes the rest read-only, gives up every
 * capability, and runs the rest of its arguments. They begin with how many folders there are.
 */
const SCRIPT = `
set -e
count=$1; shift
while [ "$count" -gt 0 ]; do
  mount -t tmpfs -o size=4k,mode=0700 none "$1"
  shift; count=$((count - 1))
done
mount -o remount,bind,ro /
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"`;

/** Where the sockets of this machine's services lie, a PostgreSQL of the operator's among them. */
const SOCKETS = '/run';

/**
 * Finds out, by trying, whether Linux namespaces can be had here: one for the network, with nothing in it, and one for
 * mounts. In a user namespace, ordinary users may make them too; containers and some distributions forbid that.
 * @param hide folders that a decoder must not see: absolute; those that do not exist are left out
 */
export async function openSandbox({ hide }: { hide: string[] }): Promise<Sandbox> {
  if (process.platform !== 'linux') return noSandbox;
  const hidden = await existing([...hide, SOCKETS]);
  const before = [
    ...['unshare', '--user', '--map-root-user', '--net', '--mount', '--ipc'],
    ...['/bin/sh', '-c', SCRIPT, 'sh', String(hidden.length), ...hidden],
  ];
  const sandbox: Sandbox = { isolation: 'namespaces', wrap: (command) => [...before, ...command] };
  const [file = '', ...args] = sandbox.wrap(['true']);
  try {
    await promisify(execFile)(file, args, { timeout: 10_000 });
    return sandbox;
  } catch {
    return noSandbox;
  }
}

async function existing(folders: string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      access(folder).then(
        () => true,
        () => false,
      ),
    ),
  );
  return folders.filter((_, at) => found[at]);
}
