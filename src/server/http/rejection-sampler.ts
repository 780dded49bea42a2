import { getWidestNetwork } from '../limits/network.ts';

const MAX_LINES = 10;
const MAX_NETWORKS = 1000;

/** Key under which all networks beyond `MAX_NETWORKS` are counted. */
const OTHER_NETWORKS = 'others';

/**
 * Creates a sampler for log lines about rejected requests of signed-out clients, which could otherwise fill the
 * disk. Until the next flush, it allows ten lines per network.
 * @param report receives the number of lines that were left out for a network
 */
export function createRejectionSampler(report: (network: string, leftOut: number) => void) {
  const refused = new Map<string, number>();
  return {
    /** Counts a rejection, and returns whether to log it. */
    sample(address: string): boolean {
      const network = getWidestNetwork(address);
      const key = refused.has(network) || refused.size < MAX_NETWORKS ? network : OTHER_NETWORKS;
      const count = (refused.get(key) ?? 0) + 1;
      refused.set(key, count);
      return count <= MAX_LINES;
    },

    flush(): void {
      for (const [network, count] of refused) if (count > MAX_LINES) report(network, count - MAX_LINES);
      refused.clear();
    },
  };
}
