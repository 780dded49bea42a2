import type { Log } from './log.ts';
import { within } from './within.ts';

export type Ending = {
  /** For the log. */
  what: string;
  end(): Promise<unknown> | void;
  /** It is left behind when it takes longer. */
  ms: number;
};

/** What was started and has to be ended again: the last first, so that nothing loses what it stands on. */
export function endings(log: Pick<Log, 'error'>) {
  const groups: Ending[][] = [];

  async function hasEnded({ what, end, ms }: Ending): Promise<boolean> {
    try {
      await within(ms, Promise.resolve(end()));
      return true;
    } catch (error) {
      log.error({ error, what }, 'something could not be ended, and is left behind');
      return false;
    }
  }

  return {
    /** @param group ends side by side */
    add(...group: Ending[]) {
      groups.push(group);
    },

    /** Ends everything once; safe to call again. @returns whether nothing was left behind */
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
