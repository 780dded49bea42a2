/** Returns Cache Storage, which is missing on plain http. */
export const deviceCache = () => (globalThis as Partial<typeof globalThis>).caches;
