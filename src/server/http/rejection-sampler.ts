import { getWidestNetwork } from '../limits/network.ts';

const MAX_LINES = 10;
const MAX_NETWORKS = 1000;

/** Key for all networks beyond the remembered ones. */
const OTHER_NETWORKS = 'others';

/**
 * Samples log lines about refused signed-out clients, which could otherwise fill the disk. It takes the first ten of
 * each network until the next flush.
 * @param report receives how many lines of a network were left out
 */
export function createRejectionSampler(report: (network: string, leftOut: number) => void) {
  const refused = new Map<string, number>();
  return {
    /** Returns whether this refusal is logged. */
    isSampled(address: string): boolean {
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
