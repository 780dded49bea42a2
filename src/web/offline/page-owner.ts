import { getPageUserId } from '../api/page-user.ts';

// Before the service worker serves a stored file, it requests the user's id from the open page, because
// requests for images and audio don't include the user.

const PAGE_OWNER_REQUEST = 'whose page';
const TIMEOUT_MS = 5_000;

/** Starts to respond to the service worker's requests for the id of the page's user. */
export function answerPageOwnerRequests(): void {
  (navigator as Partial<Navigator>).serviceWorker?.addEventListener('message', ({ data, ports }) => {
    if (data === PAGE_OWNER_REQUEST) ports[0]?.postMessage(getPageUserId());
  });
}

type Page = { postMessage(message: string, ports: Transferable[]): void };

/**
 * Creates a function that requests the user's id from a page, given the page's client id. An id is cached,
 * because a page's user never changes.
 * @returns the user's id; null for a visitor, or if there is no response
 */
export function createPageOwnerLookup(findPage: (clientId: string) => Promise<Page | undefined>) {
  const known = new Map<string, string>();
  return async (clientId: string): Promise<string | null> => {
    const owner = known.get(clientId) ?? (await askPage(await findPage(clientId)));
    if (owner !== null) known.set(clientId, owner);
    return owner;
  };
}

function askPage(page: Page | undefined): Promise<string | null> {
  if (!page) return Promise.resolve(null);
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, TIMEOUT_MS, null);
    port1.onmessage = ({ data }: MessageEvent<string | null>) => {
      clearTimeout(timer);
      resolve(data);
    };
    page.postMessage(PAGE_OWNER_REQUEST, [port2]);
  });
}
