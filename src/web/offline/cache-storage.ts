/** Returns Cache Storage, which is missing on plain http. */
export const getCacheStorage = () => (globalThis as Partial<typeof globalThis>).caches;
