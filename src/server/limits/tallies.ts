import { networksOf, widestNetwork } from './network.ts';

/** `latest` is the start of the most recent counted attempt. */
export type Tally = { count: number; pending: number; latest: Date | null };

/** Attempts within the window that share something with a new one. */
export type Tallies = {
  /** Same subject, from anywhere. */
  subject: Tally;
  /** From each network of the client, narrowest first. */
  networks: Tally[];
  /** Same subject, from each network of the client. */
  subjectFromNetworks: Tally[];
  /** Same subject, from other networks with few failures if the client's has few, otherwise from those with many. */
  subjectFromPeers: Pick<Tally, 'pending' | 'latest'>;
};

/** Attempts from one /64 or IPv4 address. */
export type AddressTally = Tally & { address: string; isSubject: boolean };

/**
 * A network that has failed less often on a subject does not wait for those that have failed more often. It may fail a
 * few times, because people mistype.
 */
const FEW_FAILURES = 3;

/** Counts what a new attempt on a subject from an address has to be measured against. */
export function talliesOf(counted: AddressTally[], address: string): Tallies {
  const rows = counted.map((row) => ({ ...row, networks: networksOf(row.address) }));
  const onSubject = rows.filter(({ isSubject }) => isSubject);
  const from = (network: string) => (row: { networks: string[] }) => row.networks.includes(network);
  const networks = networksOf(address);
  const bySite = Map.groupBy(onSubject, (row) => row.networks.at(-1)!);
  const sites = [...bySite.values()].map(sumOf);
  const hasFew = sumOf(bySite.get(widestNetwork(address)) ?? []).count < FEW_FAILURES;
  return {
    subject: sumOf(onSubject),
    networks: networks.map((network) => sumOf(rows.filter(from(network)))),
    subjectFromNetworks: networks.map((network) => sumOf(onSubject.filter(from(network)))),
    subjectFromPeers: {
      pending: sumOf(sites.filter(({ count }) => count < FEW_FAILURES === hasFew)).pending,
      // The last of its few failures was still made as one of them.
      latest: sumOf(sites.filter(({ count }) => count <= FEW_FAILURES === hasFew)).latest,
    },
  };
}

/**
 * The limit for each network of a client: a /56 gets twice as many attempts as a /64 and a /48 four times as many, so
 * that one household does not use up those of its provider's other customers.
 */
export const limitsOf = (most: number, networks: readonly unknown[]): number[] =>
  networks.map((_, width) => most * 2 ** width);

/** Whether any network of a client has used up its attempts. */
export const isUsedUp = (most: number, networks: Tally[]): boolean =>
  limitsOf(most, networks).some((limit, width) => networks[width]!.count >= limit);

function sumOf(tallies: Tally[]): Tally {
  return tallies.reduce(
    (sum, { count, pending, latest }) => ({
      count: sum.count + count,
      pending: sum.pending + pending,
      latest: latest && (!sum.latest || latest > sum.latest) ? latest : sum.latest,
    }),
    { count: 0, pending: 0, latest: null },
  );
}
