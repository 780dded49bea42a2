/**
 * The time for which a pack may be used without contact with the server, measured by the device's own clock.
 */
export type Lease = {
  /** Duration of the lease, counted from the last contact, in milliseconds. */
  ms: number;
  /**
   * Device time at the last contact, in milliseconds since 1970. Using only the device's clock makes clock
   * skew irrelevant.
   */
  contactAt: number;
  /** Latest device time seen since the last contact, in milliseconds since 1970. */
  latest: number;
};

export const createLease = ({ at, until }: { at: string; until: string }, now: number): Lease => ({
  ms: Date.parse(until) - Date.parse(at),
  contactAt: now,
  latest: now,
});

/**
 * Returns when the lease ends, in milliseconds since 1970. Turning the clock back does not extend the lease,
 * because the time that elapsed before still counts.
 */
export const getLeaseEnd = ({ ms, contactAt, latest }: Lease, now: number) =>
  now + ms - (Math.max(latest, now) - contactAt);

export const isLeaseExpired = (lease: Lease, now: number) => getLeaseEnd(lease, now) <= now;
