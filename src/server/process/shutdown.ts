import type { Log } from '../log.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

export type ShutdownStep = {
  /** Name of the step in the log. */
  name: string;
  end(): Promise<unknown> | void;
  /** Timeout in ms, after which the step is abandoned. */
  timeoutMs: number;
};

/**
 * Creates a shutdown sequence, which stops the parts of the program in reverse order of start, so that each
 * part still has its dependencies while it stops.
 */
export function createShutdown(log: Pick<Log, 'error'>) {
  const groups: ShutdownStep[][] = [];

  async function hasEnded({ name, end, timeoutMs }: ShutdownStep): Promise<boolean> {
    try {
      await withTimeout(timeoutMs, Promise.resolve(end()));
      return true;
    } catch (error) {
      log.error({ error, what: name }, 'could not be shut down; abandoned');
      return false;
    }
  }

  return {
    /**
     * Adds steps, which run before all steps added earlier.
     * @param group steps that run in parallel
     */
    add(...group: ShutdownStep[]) {
      groups.push(group);
    },

    /**
     * Runs all steps that have not run yet.
     * @returns whether they succeeded in time
     */
    async run(): Promise<boolean> {
      let isWhole = true;
      for (let group = groups.pop(); group; group = groups.pop()) {
        const results = await Promise.all(group.map(hasEnded));
        isWhole &&= results.every(Boolean);
      }
      return isWhole;
    },
  };
}
