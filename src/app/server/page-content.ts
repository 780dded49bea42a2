import { isIP } from 'node:net';
import { api } from '../api.ts';
import { hasTibetan } from '#features/lyrics/script.ts';
import type { ListedMelody, Melody } from '#features/melodies/contract.ts';
import { audioFirst } from '#features/melodies/audio-first.ts';
import { LIBRARY_TITLE } from '#features/melodies/limits.ts';
import { playedMelodyIn } from '#features/melodies/played-melody.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { InProcess } from '#server/http/mount.ts';
import type { ContentFor, PageContent } from '#server/http/page.ts';
import type { Settings } from '#server/config/settings.ts';

/** A GET that a page would send first. */
type FirstRequest = { endpoint: Endpoint; params?: Record<string, string>; query?: Record<string, string> };

const whoAmI: FirstRequest = { endpoint: api.signIn.whoAmI };
/** The same request that the library sends. */
const libraryList: FirstRequest = { endpoint: api.melodies.list, query: { view: 'card' } };
const levels: FirstRequest = { endpoint: api.levels.mine };

/** The signed-in user, so that nothing waits for it, and a teacher's notices, so that they don't shift the layout. */
const ON_EVERY_PAGE = [whoAmI, { endpoint: api.notices.list }];

const HOME = {
  path: '/',
  sources: ['src/features/home/web/home-page.tsx'],
  requests: [
    { endpoint: api.feedback.newestUnread },
    { endpoint: api.feedback.unreadCount },
    { endpoint: api.agreements.waiting },
    { endpoint: api.recordings.waiting },
    { endpoint: api.chosenMelodies.today },
    { endpoint: api.recordings.countPending },
  ],
};
const LIBRARY = {
  path: '/melodies',
  sources: [],
  requests: [libraryList, levels],
};
const PAGES: { path: string; sources: string[]; requests: FirstRequest[] }[] = [HOME, LIBRARY];

const PLAYER = 'src/features/practice/web/player-overlay.tsx';
/** The name in fonts.css. */
const TIBETAN =
  'node_modules/@fontsource/noto-serif-tibetan/files/noto-serif-tibetan-tibetan-400-normal.woff2';
const PROGRAM = 'index.html';
/** The chunk with the layout and the library; named in vite.config.ts. */
const SIGNED_IN = 'signed-in';

/** How many cards of the library the first screen can show. */
const FIRST_CARDS = 3;

/** Returns a function that collects what each page contains, so that the browser need not request it. */
export function pageContentFor(
  settings: Settings,
  modulesOf: (source: string) => string[],
  inProcess: InProcess,
): ContentFor {
  const { appName, tagline, teacherTitle, mailServer } = settings;
  const words = {
    ...{ appName, tagline, teacherTitle, sendsMail: mailServer !== null },
    passkeyOrigin: passkeyOriginOf(settings),
  };

  return async ({ path, search, isShell, ...call }) => {
    const answers: PageContent['answers'] = {};
    const content = { settings: words, answers, images: [], fonts: [], modules: [], title: null };
    if (!call.request.caller) {
      if (!isShell) answers[addressOf(whoAmI)] = null;
      return content;
    }

    const page = PAGES.find((known) => known.path === path);
    const played = page === LIBRARY ? playedMelodyIn(new URLSearchParams(search)) : null;
    const playedMelody: FirstRequest[] =
      played === null ? [] : [{ endpoint: api.melodies.one, params: { id: String(played) } }];
    // One after the other, because a list waiting in the queue uses a connection.
    for (const first of [...ON_EVERY_PAGE, ...(page?.requests ?? []), ...playedMelody]) {
      const { endpoint, ...parts } = first;
      const answer = await inProcess.get(endpoint)!({ ...parts, ...call }).catch(ignoreRefusal);
      if (answer !== undefined) answers[addressOf(first)] = answer;
    }
    const sources = [PROGRAM, SIGNED_IN, ...(page?.sources ?? [])];
    if (page !== LIBRARY) return { ...content, modules: allModulesOf(sources) };

    const melodies = answers[addressOf(libraryList)] as ListedMelody[] | undefined;
    const [melody] = playedMelody.map((first) => answers[addressOf(first)] as Melody | undefined);
    const isComplete = LIBRARY.requests.every((first) => addressOf(first) in answers);
    // Behind an open player they can load later.
    const firstCards = melody ? [] : audioFirst(melodies ?? []).slice(0, FIRST_CARDS);
    return {
      ...content,
      title: isComplete ? LIBRARY_TITLE : null,
      modules: allModulesOf(melody ? [...sources, PLAYER] : sources),
      images: firstCards.flatMap(({ thumbnailUrl }) =>
        thumbnailUrl ? [`/api/files/${thumbnailUrl}?type=image`] : [],
      ),
      // In a fallback font, the lines would first break elsewhere.
      fonts: hasTibetan(melody?.melodyText ?? '') ? modulesOf(TIBETAN) : [],
    };
  };

  function allModulesOf(sources: string[]) {
    return [...new Set(sources.flatMap(modulesOf))];
  }
}

/**
 * Returns the origin for passkeys, if there is one: browsers accept them only for domain names, and on secure pages.
 */
function passkeyOriginOf({ publicUrl: { origin, protocol, hostname } }: Settings): string | null {
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? origin : null;
}

/** Returns the address under which the browser looks up a response. */
function addressOf({ endpoint, params = {}, query }: FirstRequest) {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);
  return query ? `${path}?${String(new URLSearchParams(query))}` : path;
}

/** Ignores an AppError. The page then lacks that response, so the browser requests it and shows the error. */
function ignoreRefusal(error: unknown) {
  if (!(error instanceof AppError)) throw error;
}
