/**
 * Sends SIGKILL; a no-op if the process has already exited.
 * @param pid negative for a process group
 */
export function killProcess(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
