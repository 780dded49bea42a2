import { getNetworks, getWidestNetwork } from './network.ts';

/** `latest` is when the most recent counted attempt started. */
export type Tally = { count: number; pending: number; latest: Date | null };

/** Attempts within the window that have something in common with a new one. */
export type Tallies = {
  /** Same subject, from any network. */
  subject: Tally;
  /** From each network of the client, narrowest first. */
  networks: Tally[];
  /** Same subject, from each network of the client. */
  subjectFromNetworks: Tally[];
  /**
   * Same subject, from other networks: those with few failures if the client's has few, otherwise those with many.
   */
  subjectFromPeers: Pick<Tally, 'pending' | 'latest'>;
};

/** Attempts from one /64 or IPv4 address. */
export type AddressTally = Tally & { address: string; isSubject: boolean };

/**
 * Number of failures at which a network no longer counts as having few. People mistype, so a few failures are
 * allowed. A network that has failed less often on a subject doesn't wait for those that have failed more often.
 */
const MANY_FAILURES = 3;

/** Counts the attempts that limit a new attempt on this subject from this address. */
export function tallyAttempts(counted: AddressTally[], address: string): Tallies {
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
      // The last of a network's few failures was itself made while it had few, so it is included.
      latest: sumTallies(sites.filter(({ count }) => count <= MANY_FAILURES === hasFew)).latest,
    },
  };
}

/**
 * Returns the limit for each network of a client. A /56 gets twice as many attempts as a /64, and a /48 four times
 * as many, so that one household doesn't use up the attempts of its provider's other customers.
 */
export const getLimits = (most: number, networks: readonly unknown[]): number[] =>
  networks.map((_, width) => most * 2 ** width);

/** Returns whether any network of a client has used up its attempts. */
export const isLimitReached = (most: number, networks: Tally[]): boolean =>
  getLimits(most, networks).some((limit, width) => networks[width]!.count >= limit);

function sumTallies(tallies: Tally[]): Tally {
  return tallies.reduce(
    (sum, { count, pending, latest }) => ({
      count: sum.count + count,
      pending: sum.pending + pending,
      latest: latest && (!sum.latest || latest > sum.latest) ? latest : sum.latest,
    }),
    { count: 0, pending: 0, latest: null },
  );
}
