import { isIP } from 'node:net';
import { api } from '../api.ts';
import { hasTibetan } from '#features/lyrics/tibetan-script.ts';
import type { ListedMelody, Melody } from '#features/melodies/contract.ts';
import { sortAudioFirst } from '#features/melodies/audio-first.ts';
import { LIBRARY_TITLE } from '#features/melodies/limits.ts';
import { getPlayedMelodyId, PLAYER_OPEN_CLASS } from '#features/melodies/played-melody.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { InProcessEndpoints } from '#server/http/mount.ts';
import type { LoadPageContent, PageContent } from '#server/http/page.ts';
import type { Settings } from '#server/config/settings.ts';

/** A GET request that a page would otherwise send at once. The server embeds its response in the page. */
type PreloadedRequest = {
  endpoint: Endpoint;
  params?: Record<string, string>;
  query?: Record<string, string>;
};

const whoAmI: PreloadedRequest = { endpoint: api.signIn.whoAmI };
/** Must equal the library's own request, because the library looks up the response by its URL. */
const libraryList: PreloadedRequest = { endpoint: api.melodies.list, query: { view: 'card' } };
const levels: PreloadedRequest = { endpoint: api.levels.mine };

/**
 * Requests whose responses are embedded in every page of a signed-in user: the user's details, so that the
 * page doesn't wait for them, and a teacher's notices, so that they don't shift the layout.
 */
const COMMON_REQUESTS = [whoAmI, { endpoint: api.notices.list }];

/** The chunk with the home page; named in vite.config.ts. */
const HOME_CHUNK = 'home';
const HOME = {
  path: '/',
  sources: [HOME_CHUNK],
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
const PAGES: { path: string; sources: string[]; requests: PreloadedRequest[] }[] = [HOME, LIBRARY];

const PLAYER = 'src/features/practice/web/player-overlay.tsx';
/** Path of the font, as in fonts.css. */
const TIBETAN_FONT =
  'node_modules/@fontsource/noto-serif-tibetan/files/noto-serif-tibetan-tibetan-400-normal.woff2';
const ENTRY_HTML = 'index.html';
/** The chunk with the layout and the library; named in vite.config.ts. */
const SIGNED_IN_CHUNK = 'signed-in';

/** Maximum number of the library's cards that are visible without scrolling. */
const FIRST_CARD_COUNT = 3;

/** Returns a function that collects a page's settings, title, embedded API responses and files to preload. */
export function createPageContentLoader(
  settings: Settings,
  modulesOf: (source: string) => string[],
  inProcess: InProcessEndpoints,
): LoadPageContent {
  const { appName, tagline, teacherTitle, mailServer } = settings;
  const words = {
    ...{ appName, tagline, teacherTitle, sendsMail: mailServer !== null },
    passkeyOrigin: getPasskeyOrigin(settings),
  };

  return async ({ path, search, isShell, ...call }) => {
    const answers: PageContent['answers'] = {};
    const content = {
      settings: words,
      answers,
      images: [],
      fonts: [],
      modules: [],
      title: null,
      rootClass: '',
    };
    if (!call.request.caller) {
      if (!isShell) answers[buildAddress(whoAmI)] = null;
      return content;
    }

    const page = PAGES.find((known) => known.path === path);
    const played = page === LIBRARY ? getPlayedMelodyId(new URLSearchParams(search)) : null;
    const playedMelody: PreloadedRequest[] =
      played === null ? [] : [{ endpoint: api.melodies.one, params: { id: String(played) } }];
    // Requests run one after the other, so that a page uses only one database connection at a time.
    for (const first of [...COMMON_REQUESTS, ...(page?.requests ?? []), ...playedMelody]) {
      const { endpoint, ...parts } = first;
      const answer = await inProcess.get(endpoint)!({ ...parts, ...call }).catch(ignoreAppError);
      if (answer !== undefined) answers[buildAddress(first)] = answer;
    }
    const sources = [ENTRY_HTML, SIGNED_IN_CHUNK, ...(page?.sources ?? [])];
    if (page !== LIBRARY) return { ...content, modules: allModulesOf(sources) };

    const melodies = answers[buildAddress(libraryList)] as ListedMelody[] | undefined;
    const [melody] = playedMelody.map((first) => answers[buildAddress(first)] as Melody | undefined);
    const isComplete = LIBRARY.requests.every((first) => buildAddress(first) in answers);
    // Preloads no images of cards behind an open player, because they can load later.
    const firstCards = melody ? [] : sortAudioFirst(melodies ?? []).slice(0, FIRST_CARD_COUNT);
    return {
      ...content,
      title: isComplete ? LIBRARY_TITLE : null,
      modules: allModulesOf(melody ? [...sources, PLAYER] : sources),
      rootClass: melody ? PLAYER_OPEN_CLASS : '',
      images: firstCards.flatMap(({ thumbnailUrl }) =>
        thumbnailUrl ? [`/api/files/${thumbnailUrl}?type=image`] : [],
      ),
      // Preloads the font, because lines break differently in the fallback font.
      fonts: hasTibetan(melody?.melodyText ?? '') ? modulesOf(TIBETAN_FONT) : [],
    };
  };

  function allModulesOf(sources: string[]) {
    return [...new Set(sources.flatMap(modulesOf))];
  }
}

/**
 * Returns the origin for passkeys. Returns null for an IP address or an insecure page, where browsers don't
 * support passkeys.
 */
function getPasskeyOrigin({ publicUrl: { origin, protocol, hostname } }: Settings): string | null {
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? origin : null;
}

/** Returns the URL under which the browser looks up a response. */
function buildAddress({ endpoint, params = {}, query }: PreloadedRequest) {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name]!);
  return query ? `${path}?${String(new URLSearchParams(query))}` : path;
}

/**
 * Ignores an AppError, but throws any other error. The page then lacks that response, so the browser requests
 * it and shows the error.
 */
function ignoreAppError(error: unknown) {
  if (!(error instanceof AppError)) throw error;
}
