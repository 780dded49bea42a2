/** Record of values that were requested of a server and confirmed by it, by a key such as 'recording Run 1'. */
export type Ledger = ReturnType<typeof createLedger>;

/** A digest of what is stored under a key; null for nothing. */
export type Value = string | null;

/** @property requested since the confirmation: each may have been stored */
type Entry = { confirmed: Value; requested: Set<Value> };

export function createLedger() {
  const entries = new Map<string, Entry>();
  let confirmations = 0;

  return {
    /** Notes a value before the request for it is sent. */
    request(key: string, value: Value) {
      const entry = entries.get(key) ?? { confirmed: null, requested: new Set() };
      entry.requested.add(value);
      entries.set(key, entry);
    },

    /** Notes what the server has confirmed: nothing else may be found until something else is requested. */
    confirm(key: string, value: Value) {
      entries.set(key, { confirmed: value, requested: new Set() });
      confirmations += 1;
    },

    confirmations: () => confirmations,

    /**
     * Compares with what is there, and treats that as the truth from now on.
     * @param kept the values found under each key
     * @returns sentences on what was confirmed and is not there, and on what is there more than once
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
