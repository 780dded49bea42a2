let hasAsked = false;

/**
 * Asks the browser, once in each page, not to clear this site's storage when the device runs short of room. It may
 * say no, and some ask the person; nothing here depends on the answer.
 */
export function askToKeep(storage: Partial<StorageManager> | undefined = globalThis.navigator?.storage) {
  if (hasAsked || !storage?.persist) return;
  hasAsked = true;
  void storage.persist().catch(() => undefined);
}
