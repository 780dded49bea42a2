import type { Log } from '../log.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';

export type ShutdownStep = {
  /** For the log. */
  what: string;
  end(): Promise<unknown> | void;
  /** Timeout after which it is abandoned. */
  ms: number;
};

/** Shuts down in reverse order of start, so that each part still has its dependencies while it ends. */
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
    /** @param group is shut down in parallel */
    add(...group: ShutdownStep[]) {
      groups.push(group);
    },

    /**
     * Shuts everything down; idempotent.
     * @returns whether all of it ended
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
