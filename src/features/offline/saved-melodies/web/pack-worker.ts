import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import { CHECK_PACK } from '#web/offline/check-pack.ts';
import type { PackFile } from '../contract.ts';
import { checkPack } from './check-pack.ts';
import { fileAnswer, jsonAnswer } from './pack-answers.ts';
import { announcePack, packChannel } from './pack-news.ts';
import { openPackStore, type Owner } from './pack-store.ts';

// The part of the service worker that knows the pack.

/** After so long without a beginning of an answer, the pack's is given. */
const PATIENCE_MS = 8_000;

const FILE = /^\/api\/files\/([^/]+)$/;
const LISTS = /^\/api\/(melodies(\/\d+)?|user\/transmission-levels|student\/recordings|feedback)$/;

type Waiting = { waitUntil(work: Promise<unknown>): void; clientId: string };

/** @param ownerOf returns whose page a client is; null for a visitor's, or if that is not known */
export function createPackWorker(ownerOf: (clientId: string) => Promise<string | null>) {
  const store = openPackStore();
  /** What it has, so that nothing else is held up; undefined while that is not known. */
  let known: { owner: Owner; files: Map<string, PackFile> } | null | undefined;
  let loading: Promise<void> | null = null;
  /** While the server is asked, nothing is read: what it no longer allows is deleted first. */
  let checking: Promise<unknown> | null = null;

  const load = () =>
    (loading ??= (async () => {
      try {
        const owner = await store.owner();
        const entries = owner ? await store.entries() : [];
        const files = entries.flatMap(({ kept }) => kept?.files ?? []);
        known = owner?.lease ? { owner, files: new Map(files.map((file) => [file.name, file])) } : null;
      } catch {
        // A browser without storage has no pack.
        known = null;
      }
    })().finally(() => (loading = null)));

  function reload() {
    known = undefined;
    return load();
  }

  async function changed() {
    await reload();
    announcePack();
  }

  /** Asks the server; those who ask meanwhile wait for the same. */
  function check(): Promise<unknown> {
    return (checking ??= (async () => {
      await load();
      if (known === null && !(await store.owner())) return;
      await checkPack(store).catch(() => 'unreachable');
      await changed();
    })()
      .catch(() => undefined)
      .finally(() => (checking = null)));
  }

  /** The pack as it may be used at this moment; null without one. */
  async function usable(): Promise<typeof known> {
    await checking;
    // The lease is looked at each time, and the key with it: a worker may live long.
    const owner = await store.owner().catch(() => null);
    if (!known || !owner || owner.packId !== known.owner.packId) await load();
    return owner && known && owner.packId === known.owner.packId ? known : null;
  }

  /**
   * Serves the owner's pages from the pack if it has the file in the form that is asked for: an address always means the
   * same bytes, also to an element that has begun with the server's.
   */
  async function file(
    request: Request,
    name: string,
    copy: string | null,
    clientId: string,
  ): Promise<Response> {
    const user = await ownerOf(clientId);
    const found = await usable();
    const kept = found?.files.get(name);
    const isIt = found && kept && (kept.copy ?? null) === copy && found.owner.userId === user;
    return isIt ? fileAnswer(store, found.owner, kept, request) : fetch(request);
  }

  /** From the server if it can be reached. */
  async function list(request: Request, url: URL, event: Waiting): Promise<Response> {
    const asked = fetch(request).catch(() => null);
    const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null));
    const first = await Promise.race([asked, late]);
    if (first && isTheServers(first)) {
      // A contact: what the list no longer has goes from the pack too.
      if (url.pathname === '/api/melodies' || first.status === 401) event.waitUntil(check());
      return first;
    }
    const found = await usable();
    const isTheirs = found?.owner.userId === request.headers.get(EXPECTED_USER_HEADER);
    const answer = found && isTheirs ? await jsonAnswer(store, found.owner, url).catch(() => null) : null;
    return answer ?? (await asked) ?? Response.error();
  }

  async function forget() {
    known = null;
    await store.shred();
    announcePack();
  }

  void load();
  packChannel().addEventListener('message', () => void reload());

  return {
    /** A page came from the server: what may no longer be kept is deleted before anything of the pack is shown. */
    onContact: check,

    /** A page is opened without the server: whatever was fetched last counts, also if nobody could tell of it. */
    onNoContact: reload,

    /** @returns whether a message was for the pack */
    onMessage: (message: unknown): Promise<unknown> | null => (message === CHECK_PACK ? check() : null),

    /** Deletes the pack unless it is this user's; null for nobody. */
    async keepFor(userId: string | null): Promise<void> {
      if (userId === null || (await store.owner())?.userId !== userId) await forget();
    },

    /** The answer to a request for the API; null for those that are none of its business. */
    answer(request: Request, event: Waiting): Promise<Response> | null {
      const url = new URL(request.url);
      if (request.method !== 'GET' || known === null) return null;
      const name = FILE.exec(url.pathname)?.[1];
      if (name !== undefined && !url.searchParams.has('keep'))
        return known && !known.files.has(name)
          ? null
          : file(request, name, url.searchParams.get('copy'), event.clientId);
      return LISTS.test(url.pathname) && !url.searchParams.has('keep') ? list(request, url, event) : null;
    },
  };
}

/** A foreign network, or a proxy whose server is gone, answers with a page of its own. */
const isTheServers = ({ status, headers }: Response) =>
  status === 304 || (headers.get('content-type') ?? '').startsWith('application/json');
