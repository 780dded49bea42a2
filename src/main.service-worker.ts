import { createPackWorker } from '#features/offline/saved-melodies/web/pack-worker.ts';
import { SHARE_TARGET_PATH } from '#features/recordings/share-target.ts';
import { END_SESSION_SYNC_TAG, SEND_TAKES_SYNC_TAG } from '#web/offline/background-sync.ts';
import { sendTakesInBackground } from '#features/recordings/web/sending-worker.ts';
import {
  deleteExpiredSharedSound,
  deleteSharedSoundUnlessOwnedBy,
  receiveSharedSound,
} from '#features/my-recordings/web/submit/shared-sound.ts';
import { createPageOwnerLookup } from '#web/offline/page-owner.ts';
import { interceptSessionChange } from '#web/offline/session-changes.ts';
import { getShellCacheName, findStaleShellCaches } from '#web/offline/stale-shell-caches.ts';

// Caches the application's shell on the device, so that it opens offline: its scripts, styles and fonts, and
// one page without user data. It never caches API responses, media or pages with a user's data. Responses and
// media that may be stored on the device are in the pack, which is encrypted and belongs to one user.

type Lasting = Event & { waitUntil(work: Promise<unknown>): void };
type Fetching = Lasting & {
  request: Request;
  /** Empty for a navigation, because the new page has no client yet. */
  clientId: string;
  respondWith(answer: Promise<Response>): void;
};
type Page = { postMessage(message: string, ports?: Transferable[]): void };

// The worker's own globals, which are missing from TypeScript's DOM library.
declare function skipWaiting(): Promise<void>;
declare const clients: {
  claim(): Promise<void>;
  get(id: string): Promise<Page | undefined>;
  matchAll(): Promise<Page[]>;
};

/** Version and files of the shell, filled in by the build. */
declare const SHELL: { version: string; files: string[] };

const pack = createPackWorker(createPageOwnerLookup((id) => clients.get(id)));

/** Deletes the pack and the shared audio unless they belong to this user; null always deletes both. */
const keepFor = (userId: string | null) =>
  Promise.all([pack.keepOnlyFor(userId), deleteSharedSoundUnlessOwnedBy(userId)]);

const NAME = getShellCacheName(SHELL.version);
const PAGE = '/?shell';

/** Timeout for fetching a page, after which the worker responds with the cached page. */
const PATIENCE_MS = 8_000;

async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  // Omits cookies, so that the server sends a page without user data.
  await cache.put(PAGE, await must(fetch(PAGE, { credentials: 'omit', cache: 'no-store' })));
  await cache.addAll(SHELL.files);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(findStaleShellCaches(names, NAME).map((name) => caches.delete(name)));
}

async function page(request: Request, event: Lasting): Promise<Response> {
  try {
    // Passes no AbortSignal: with one, the browser treats this as the worker's own request, and
    // Sec-Fetch-Site no longer names the site that the user came from.
    const answer = await Promise.race([fetch(request), failAfter(PATIENCE_MS)]);
    event.waitUntil(pack.onContact());
    return answer;
  } catch (error) {
    await pack.onNoContact();
    const cachedPage = await caches.match(PAGE);
    if (cachedPage) return cachedPage;
    throw error;
  }
}

const failAfter = (ms: number) =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No answer in time')), ms));

const part = async (request: Request): Promise<Response> => (await caches.match(request)) ?? fetch(request);

async function must(fetching: Promise<Response>): Promise<Response> {
  const answer = await fetching;
  if (!answer.ok) throw new Error(`The shell could not be fetched: ${answer.status}`);
  return answer;
}

addEventListener('install', (event) => {
  (event as Lasting).waitUntil(keep().then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  (event as Lasting).waitUntil(forgetOthers().then(() => clients.claim()));
});

addEventListener('fetch', (given) => {
  const event = given as Fetching;
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (/^\/api(\/|$)/.test(pathname)) {
    const answer = interceptSessionChange(request, keepFor) ?? pack.respond(request, event);
    if (answer) event.respondWith(answer);
    return;
  }
  if (request.method === 'POST' && request.mode === 'navigate' && pathname === SHARE_TARGET_PATH)
    event.respondWith(receiveSharedSound(request));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    event.waitUntil(deleteExpiredSharedSound());
    event.respondWith(page(request, event));
  } else if (pathname.startsWith('/assets/')) event.respondWith(part(request));
});

addEventListener('message', (event) => {
  const work = pack.onMessage((event as MessageEvent<unknown>).data);
  if (work) (event as unknown as Lasting).waitUntil(work);
});

addEventListener('sync', (event) => {
  const { tag } = event as Event & { tag: string };
  if (tag === SEND_TAKES_SYNC_TAG)
    (event as Lasting).waitUntil(sendTakesInBackground(() => clients.matchAll()));
  // Ends the session of a user who signed out offline. Any request does that, because it carries the cookie
  // that marks the sign-out, and the server then ends the session.
  if (tag === END_SESSION_SYNC_TAG) (event as Lasting).waitUntil(fetch('/api/health', { cache: 'no-store' }));
});
