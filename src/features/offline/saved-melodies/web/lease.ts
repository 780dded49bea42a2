/** The time for which a pack may be used without a contact with the server, told by the device's own clock. */
export type Lease = {
  /** How long it lasts from the contact on, in ms. */
  ms: number;
  /** The device's clock at the contact: what the server's clock says doesn't matter, nor that the device's is wrong. */
  contactAt: number;
  /** The latest that the device's clock has been seen at since. */
  latest: number;
};

export const leaseFrom = ({ at, until }: { at: string; until: string }, now: number): Lease => ({
  ms: Date.parse(until) - Date.parse(at),
  contactAt: now,
  latest: now,
});

/** Time that has passed counts, also after the clock was turned back. */
export const lastsUntil = ({ ms, contactAt, latest }: Lease, now: number) =>
  now + ms - (Math.max(latest, now) - contactAt);

export const isOver = (lease: Lease, now: number) => lastsUntil(lease, now) <= now;
