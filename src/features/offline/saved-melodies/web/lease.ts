/**
 * The time for which a pack may be used without contact with the server, measured by the device's own clock.
 */
export type Lease = {
  /** Duration of the lease from the contact, in milliseconds. */
  ms: number;
  /**
   * Device time at the contact, in milliseconds since 1970. Using only the device's clock makes clock skew
   * irrelevant.
   */
  contactAt: number;
  /** Latest device time seen since the contact, in milliseconds since 1970. */
  latest: number;
};

export const createLease = ({ at, until }: { at: string; until: string }, now: number): Lease => ({
  ms: Date.parse(until) - Date.parse(at),
  contactAt: now,
  latest: now,
});

/**
 * Returns when the lease ends, in milliseconds since 1970. Time that elapsed before the clock was turned back
 * counts.
 */
export const getLeaseEnd = ({ ms, contactAt, latest }: Lease, now: number) =>
  now + ms - (Math.max(latest, now) - contactAt);

export const isLeaseExpired = (lease: Lease, now: number) => getLeaseEnd(lease, now) <= now;
