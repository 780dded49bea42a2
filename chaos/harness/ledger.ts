/**
 * Record of the values that clients sent to a server, and of those that the server confirmed, under keys such
 * as 'recording Run 1'.
 */
export type Ledger = ReturnType<typeof createLedger>;

/** Digest of what is stored under a key; null if nothing is stored. */
export type LedgerValue = string | null;

/** @property requested values sent since the last confirmation, any of which may have been stored */
type Entry = { confirmed: LedgerValue; requested: Set<LedgerValue> };

export function createLedger() {
  const entries = new Map<string, Entry>();
  let confirmations = 0;

  return {
    /** Records a value before it is sent to the server. */
    recordRequest(key: string, value: LedgerValue) {
      const entry = entries.get(key) ?? { confirmed: null, requested: new Set() };
      entry.requested.add(value);
      entries.set(key, entry);
    },

    /** Records a value that the server has confirmed. Until the next request, only this value may be stored. */
    recordConfirmation(key: string, value: LedgerValue) {
      entries.set(key, { confirmed: value, requested: new Set() });
      confirmations += 1;
    },

    getConfirmationCount: () => confirmations,

    /**
     * Compares the record with the stored values, and then records the stored values as confirmed.
     * @param kept the values found under each key
     * @returns sentences about confirmed values that are missing or different, and about duplicates
     */
    compare(kept: Map<string, string[]>): string[] {
      const harm: string[] = [];
      for (const [key, entry] of entries) {
        const values = kept.get(key) ?? [];
        const found = values[0] ?? null;
        if (values.length > 1) harm.push(`${key} is there ${values.length} times`);
        if (found !== entry.confirmed && !entry.requested.has(found))
          harm.push(`${key} was confirmed as ${entry.confirmed}, and is ${found ?? 'gone'}`);
        entry.confirmed = found;
      }
      return harm;
    },
  };
}
