import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import { CHECK_PACK_MESSAGE } from '#web/offline/check-pack.ts';
import type { PackFile } from '../contract.ts';
import { revalidatePack } from './revalidate-pack.ts';
import { createPackFileResponse, createPackJsonResponse } from './pack-responses.ts';
import { announcePackChange, getPackChannel } from './pack-channel.ts';
import { openPackStore, type PackOwner } from './pack-store.ts';

// The part of the service worker that serves from the pack.

/** Time after which the pack responds if the server has not started to respond. */
const SERVER_TIMEOUT_MS = 8_000;

const FILE_PATH = /^\/api\/files\/([^/]+)$/;
const LIST_PATHS = /^\/api\/(melodies(\/\d+)?|user\/transmission-levels|student\/recordings|feedback)$/;

type FetchContext = { waitUntil(work: Promise<unknown>): void; clientId: string };

/** @param getUser returns the user of a client's page; null for a visitor's page, or if unknown */
export function createPackWorker(getUser: (clientId: string) => Promise<string | null>) {
  const store = openPackStore();
  /**
   * The pack's owner and files, cached so that requests for other files are not delayed. Null if there is no
   * usable pack; undefined until loaded.
   */
  let cachedPack: { owner: PackOwner; files: Map<string, PackFile> } | null | undefined;
  let loading: Promise<void> | null = null;
  /** The check in progress. Reads wait until it has deleted the entries that are no longer allowed. */
  let checking: Promise<unknown> | null = null;

  const load = () =>
    (loading ??= (async () => {
      try {
        const owner = await store.findOwner();
        const entries = owner ? await store.listEntries() : [];
        const files = entries.flatMap(({ kept }) => kept?.files ?? []);
        cachedPack = owner?.lease ? { owner, files: new Map(files.map((file) => [file.name, file])) } : null;
      } catch {
        // A browser without storage has no pack.
        cachedPack = null;
      }
    })().finally(() => (loading = null)));

  function reload() {
    cachedPack = undefined;
    return load();
  }

  async function reloadAndAnnounce() {
    await reload();
    announcePackChange();
  }

  /** Revalidates the pack with the server and notifies the pages. Concurrent callers share one check. */
  function check(): Promise<unknown> {
    return (checking ??= (async () => {
      await load();
      if (cachedPack === null && !(await store.findOwner())) return;
      await revalidatePack(store).catch(() => 'unreachable');
      await reloadAndAnnounce();
    })()
      .catch(() => undefined)
      .finally(() => (checking = null)));
  }

  /** Returns the pack if it may be used now, or null. */
  async function getUsablePack(): Promise<typeof cachedPack> {
    await checking;
    // Checks the lease and the key each time, because a worker may run for a long time.
    const owner = await store.findOwner().catch(() => null);
    if (!cachedPack || !owner || owner.packId !== cachedPack.owner.packId) await load();
    return owner && cachedPack && owner.packId === cachedPack.owner.packId ? cachedPack : null;
  }

  /**
   * Serves a file from the pack to its owner's pages, if the requested copy or original is stored; otherwise
   * from the server. A URL must always return the same bytes, because a media element may have started with the
   * server's bytes.
   */
  async function serveFile(
    request: Request,
    name: string,
    copy: string | null,
    clientId: string,
  ): Promise<Response> {
    const user = await getUser(clientId);
    const found = await getUsablePack();
    const packFile = found?.files.get(name);
    const isIt = found && packFile && (packFile.copy ?? null) === copy && found.owner.userId === user;
    return isIt ? createPackFileResponse(store, found.owner, packFile, request) : fetch(request);
  }

  /** Serves a list or a melody from the server, or from the pack if the server does not respond in time. */
  async function serveList(request: Request, url: URL, event: FetchContext): Promise<Response> {
    const fromServer = fetch(request).catch(() => null);
    const late = new Promise<null>((resolve) => setTimeout(resolve, SERVER_TIMEOUT_MS, null));
    const first = await Promise.race([fromServer, late]);
    if (first && isFromServer(first)) {
      // Checks which entries are no longer allowed, now that the server can be reached.
      if (url.pathname === '/api/melodies' || first.status === 401) event.waitUntil(check());
      return first;
    }
    const found = await getUsablePack();
    const isTheirs = found?.owner.userId === request.headers.get(EXPECTED_USER_HEADER);
    const answer =
      found && isTheirs ? await createPackJsonResponse(store, found.owner, url).catch(() => null) : null;
    return answer ?? (await fromServer) ?? Response.error();
  }

  async function deletePack() {
    cachedPack = null;
    await store.shred();
    announcePackChange();
  }

  void load();
  getPackChannel().addEventListener('message', () => void reload());

  return {
    /**
     * Called when the server has delivered a page. Deletes entries that may no longer be stored. Reads from the
     * pack wait until this is done.
     */
    onContact: check,

    /**
     * Called when a page opens without the server. Reloads the pack, because a page may have closed before it
     * announced its last download.
     */
    onNoContact: reload,

    /**
     * Handles a message to the worker.
     * @returns null if the message is not for the pack
     */
    onMessage: (message: unknown): Promise<unknown> | null =>
      message === CHECK_PACK_MESSAGE ? check() : null,

    /** Deletes the pack unless it belongs to this user; null always deletes it. */
    async keepOnlyFor(userId: string | null): Promise<void> {
      if (userId === null || (await store.findOwner())?.userId !== userId) await deletePack();
    },

    /** Responds to an API request, or returns null if the request is not for the pack. */
    respond(request: Request, event: FetchContext): Promise<Response> | null {
      const url = new URL(request.url);
      if (request.method !== 'GET' || cachedPack === null) return null;
      const name = FILE_PATH.exec(url.pathname)?.[1];
      if (name !== undefined && !url.searchParams.has('keep'))
        return cachedPack && !cachedPack.files.has(name)
          ? null
          : serveFile(request, name, url.searchParams.get('copy'), event.clientId);
      return LIST_PATHS.test(url.pathname) && !url.searchParams.has('keep')
        ? serveList(request, url, event)
        : null;
    },
  };
}

/**
 * Returns whether a response is from the server. A captive portal, or a proxy whose server is down, responds
 * with its own page.
 */
const isFromServer = ({ status, headers }: Response) =>
  status === 304 || (headers.get('content-type') ?? '').startsWith('application/json');
