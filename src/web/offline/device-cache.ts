/** Returns Cache Storage, which is missing on plain http. */
export const getDeviceCache = () => (globalThis as Partial<typeof globalThis>).caches;
