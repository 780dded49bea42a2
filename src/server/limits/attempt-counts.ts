import { getNetworks, getWidestNetwork } from './network.ts';

/**
 * Numbers of counted and pending attempts. `latest` is the start of the latest counted attempt; null if there
 * is none.
 */
export type AttemptCount = { count: number; pending: number; latest: Date | null };

/** Attempts within the window that have the subject or a network in common with a new attempt. */
export type AttemptCountsByScope = {
  /** Attempts on the same subject, from any network. */
  subject: AttemptCount;
  /** Attempts on any subject from each network of the client, narrowest first. */
  networks: AttemptCount[];
  /** Attempts on the same subject from each network of the client, narrowest first. */
  subjectFromNetworks: AttemptCount[];
  /**
   * Attempts on the same subject from networks like the client's: those with few failures if the client's
   * network has few, otherwise those with many.
   */
  subjectFromPeers: Pick<AttemptCount, 'pending' | 'latest'>;
};

/** Attempts from one /64 or IPv4 address. */
export type AddressAttemptCount = AttemptCount & { address: string; isSubject: boolean };

/**
 * Minimum number of failures for a network to count as having many. People mistype, so a few failures are
 * allowed. A network with few failures on a subject doesn't have to wait for networks with many.
 */
const MANY_FAILURES = 3;

/** Adds up, by scope, the attempts that limit a new attempt from this address. */
export function sumAttemptCountsByScope(
  counted: AddressAttemptCount[],
  address: string,
): AttemptCountsByScope {
  const rows = counted.map((row) => ({ ...row, networks: getNetworks(row.address) }));
  const onSubject = rows.filter(({ isSubject }) => isSubject);
  const from = (network: string) => (row: { networks: string[] }) => row.networks.includes(network);
  const networks = getNetworks(address);
  const bySite = Map.groupBy(onSubject, (row) => row.networks.at(-1)!);
  const sites = [...bySite.values()].map(sumTallies);
  const hasFew = sumTallies(bySite.get(getWidestNetwork(address)) ?? []).count < MANY_FAILURES;
  return {
    subject: sumTallies(onSubject),
    networks: networks.map((network) => sumTallies(rows.filter(from(network)))),
    subjectFromNetworks: networks.map((network) => sumTallies(onSubject.filter(from(network)))),
    subjectFromPeers: {
      pending: sumTallies(sites.filter(({ count }) => count < MANY_FAILURES === hasFew)).pending,
      // Here, a network with exactly `MANY_FAILURES` counts as having few, because it had few when its latest
      // attempt began.
      latest: sumTallies(sites.filter(({ count }) => count <= MANY_FAILURES === hasFew)).latest,
    },
  };
}

/**
 * Returns the limit for each network of a client. A /56 gets twice as many attempts as a /64, and a /48 four
 * times as many, so that one household doesn't use up the attempts of its provider's other customers.
 */
export const getLimitsPerNetwork = (most: number, networks: readonly unknown[]): number[] =>
  networks.map((_, width) => most * 2 ** width);

/** Returns whether any network of a client has used up its attempts. */
export const isAttemptLimitReached = (most: number, networks: AttemptCount[]): boolean =>
  getLimitsPerNetwork(most, networks).some((limit, width) => networks[width]!.count >= limit);

function sumTallies(tallies: AttemptCount[]): AttemptCount {
  return tallies.reduce(
    (sum, { count, pending, latest }) => ({
      count: sum.count + count,
      pending: sum.pending + pending,
      latest: latest && (!sum.latest || latest > sum.latest) ? latest : sum.latest,
    }),
    { count: 0, pending: 0, latest: null },
  );
}
