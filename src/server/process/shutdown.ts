import type { Log } from '../log.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

export type ShutdownStep = {
  /** Name of the step in the log. */
  what: string;
  end(): Promise<unknown> | void;
  /** Timeout in ms, after which the step is abandoned. */
  ms: number;
};

/**
 * Creates a shutdown in reverse order of start, so that each part still has its dependencies while it stops.
 */
export function createShutdown(log: Pick<Log, 'error'>) {
  const groups: ShutdownStep[][] = [];

  async function hasEnded({ what, end, ms }: ShutdownStep): Promise<boolean> {
    try {
      await withTimeout(ms, Promise.resolve(end()));
      return true;
    } catch (error) {
      log.error({ error, what }, 'could not be shut down; abandoned');
      return false;
    }
  }

  return {
    /** @param group steps that run in parallel */
    add(...group: ShutdownStep[]) {
      groups.push(group);
    },

    /**
     * Runs all steps. Idempotent.
     * @returns whether all steps succeeded in time
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
