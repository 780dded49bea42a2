import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Isolates a decoder from everything but the file that it is given. */
export type Sandbox = {
  /** 'none' where the system has no namespaces, or forbids them: then only Node's permission model remains. */
  isolation: 'namespaces' | 'none';
  /** The command that runs `command` in the sandbox. It keeps its pid and its open descriptors. */
  wrap(command: string[]): string[];
};

export const noSandbox: Sandbox = { isolation: 'none', wrap: (command) => command };

/**
 * Runs inside new namespaces, as their root: mounts an empty folder over each hidden one, makes every file system
 * read-only, drops every capability, and executes the remaining arguments. The first argument is the number of folders.
 *
 * A read-only root leaves what is mounted below it as it was: the kernel's settings in /proc, /dev/shm, often /tmp and
 * /home. The flags that a mount has are repeated, since a user namespace may not take them away. What another mount
 * covers is out of reach anyway, and cannot be remounted.
 */
const SCRIPT = `
set -e
count=$1; shift
while [ "$count" -gt 0 ]; do
  mount -t tmpfs -o ro,size=4k,mode=0700 none "$1"
  shift; count=$((count - 1))
done
mounts=$(cat /proc/self/mountinfo)
while read -r _ _ _ _ point flags _; do
  case $flags in rw | rw,*) ;; *) continue ;; esac
  case $point in *\\\\*) point=$(printf '%b.' "$point"); point=\${point%.} ;; esac
  [ -e "$point" ] || continue
  mount -o "remount,bind,ro\${flags#rw}" "$point" 2>/dev/null || [ ! -w "$point" ]
done <<MOUNTS
$mounts
MOUNTS
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"`;

/** Where the sockets of local services are, the operator's PostgreSQL among them; and what no decoder asks for. */
const NOT_NEEDED = ['/run', '/sys'];

/**
 * Probes whether Linux namespaces are available: a network namespace with no interface, and a mount namespace. Inside a
 * user namespace, unprivileged users may create them too; containers and some distributions forbid that.
 * @param hide absolute paths of folders that a decoder must not see; missing ones are ignored
 */
export async function openSandbox({ hide }: { hide: string[] }): Promise<Sandbox> {
  if (process.platform !== 'linux') return noSandbox;
  const hidden = await existing([...hide, ...NOT_NEEDED]);
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

/** The tools that decode untrusted files. */
export type Decoders = {
  /** Null if there is none. */
  ffmpegPath: string | null;
  sandbox: Sandbox;
};
