/** Cache Storage, which pages on plain http lack. */
export const deviceCache = () => (globalThis as Partial<typeof globalThis>).caches;
