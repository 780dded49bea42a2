import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Isolation of a decoder from the network and from hidden folders. All folders are read-only for it. */
export type Sandbox = {
  /** 'none' if the system has no namespaces or forbids them. Then only Node's permission model remains. */
  isolation: 'namespaces' | 'none';
  /**
   * Returns the command line that runs `command` in the sandbox. The pid and the open descriptors stay the
   * same.
   */
  wrap(command: string[]): string[];
};

export const NO_SANDBOX: Sandbox = { isolation: 'none', wrap: (command) => command };

/**
 * Script that runs as root inside new namespaces. It mounts an empty folder over each hidden folder, makes
 * every file system read-only, drops all capabilities, and executes the remaining arguments. The first argument
 * is the number of hidden folders. Remounting the root file system as read-only does not affect the mounts
 * below it: the kernel's settings in /proc, /dev/shm, often /tmp and /home. So each of them is remounted too.
 * The flags of each mount are repeated, because a user namespace isn't allowed to remove any. A mount that is
 * covered by another can't be remounted, but it can't be accessed either, so that error is ignored.
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

/**
 * Folders that decoders don't need. /run contains the sockets of local services, such as the operator's
 * PostgreSQL.
 */
const HIDDEN_FOLDERS = ['/run', '/sys'];

/**
 * Opens a sandbox if Linux namespaces are available: a network namespace without interfaces, and a mount
 * namespace. Unprivileged processes can create them inside a user namespace, but containers and some
 * distributions forbid that. In that case, and on other systems, returns `NO_SANDBOX`.
 * @param hide absolute paths of folders that a decoder must not see; missing folders are ignored
 */
export async function openSandbox({ hide }: { hide: string[] }): Promise<Sandbox> {
  if (process.platform !== 'linux') return NO_SANDBOX;
  const hidden = await filterExisting([...hide, ...HIDDEN_FOLDERS]);
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
    return NO_SANDBOX;
  }
}

async function filterExisting(folders: string[]): Promise<string[]> {
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

/** Tools for decoding untrusted files. */
export type DecodingTools = {
  /** Null if ffmpeg is not available. */
  ffmpegPath: string | null;
  sandbox: Sandbox;
};
