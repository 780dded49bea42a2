/** What a server has been asked to store and what it has confirmed, by a key such as 'recording Run 1'. */
export type Ledger = ReturnType<typeof newLedger>;

/** What is stored under a key: a digest of it; null for nothing. */
export type Value = string | null;

type Entry = {
  confirmed: Value;
  /** Requested since, without a confirmation: it may have been done. */ asked: Set<Value>;
};

export function newLedger() {
  const entries = new Map<string, Entry>();
  let confirmations = 0;

  const entryOf = (key: string) => {
    const entry = entries.get(key) ?? { confirmed: null, asked: new Set() };
    entries.set(key, entry);
    return entry;
  };

  return {
    /** To be called before the request is sent. */
    ask(key: string, value: Value) {
      entryOf(key).asked.add(value);
    },

    /** The server has confirmed it: from now on nothing else may be found, unless something else is requested. */
    confirm(key: string, value: Value) {
      entries.set(key, { confirmed: value, asked: new Set() });
      confirmations += 1;
    },

    confirmations: () => confirmations,

    /**
     * Compares with what is there, and treats that as the truth from now on.
     * @param kept the values found under each key
     * @returns sentences on what was promised and is not there, and how often something is there more than once
     */
    compare(kept: Map<string, string[]>): { lost: string[]; duplicates: number } {
      const lost: string[] = [];
      let duplicates = 0;
      for (const [key, entry] of entries) {
        const [found = null, ...more] = kept.get(key) ?? [];
        duplicates += more.length;
        if (found !== entry.confirmed && !entry.asked.has(found))
          lost.push(`${key} was confirmed as ${entry.confirmed}, and is ${found ?? 'gone'}`);
        entry.confirmed = found;
      }
      return { lost, duplicates };
    },
  };
}
