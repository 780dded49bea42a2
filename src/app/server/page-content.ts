import { isIP } from 'node:net';
import { api } from '../api.ts';
import { hasTibetan } from '#features/lyrics/script.ts';
import { LIBRARY_TITLE } from '#features/melodies/limits.ts';
import { playedMelodyIn } from '#features/melodies/played-melody.ts';
import { AppError } from '#shared/errors.ts';
import type { ListLimiter } from '#server/http/request-limiters.ts';
import { answerBody } from '#server/http/mount.ts';
import type { ContentFor, PageContent } from '#server/http/page.ts';
import type { Caller } from '#server/auth/sessions.ts';
import type { Settings } from '#server/config/settings.ts';
import type { Services } from './server.ts';

/** Browsers keep passkeys for domains alone, on secure pages. */
function passkeyOriginOf({ publicUrl: { origin, protocol, hostname } }: Settings): string | null {
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0 ? origin : null;
}

/** How many cards of the library the first screen can show. */
const FIRST_CARDS = 3;

const LIBRARY = {
  path: '/melodies',
  title: LIBRARY_TITLE,
  source: 'src/features/library/web/melodies-page.tsx',
};
/** As the library's page asks for it. */
const LIBRARY_LIST = `${api.melodies.list.path}?view=card`;
const PLAYER = 'src/features/practice/web/player-overlay.tsx';
/** As named in fonts.css. */
const TIBETAN =
  'node_modules/@fontsource/noto-serif-tibetan/files/noto-serif-tibetan-tibetan-400-normal.woff2';
const HOME = { path: '/', source: 'src/features/home/web/home-page.tsx' };
const PROGRAM = 'index.html';
/** The file that the frame is in; named in vite.config.ts. */
const SIGNED_IN = 'signed-in';

/**
 * Data embedded in a page: always who is signed in, so that nothing waits to know; for a teacher the notices, so that
 * they don't shift the layout; and for the library, where people spend their time, its melodies and first pictures too.
 */
export function pageContentFor(
  settings: Settings,
  services: Services,
  modulesOf: (source: string) => string[],
  lists: ListLimiter,
  position: () => string | null,
): ContentFor {
  const { appName, tagline, teacherTitle, mailServer } = settings;
  /** What a student left off with; nothing when too many lists are queued. */
  async function answersOfHome(student: Caller, signal: AbortSignal) {
    const { feedback, agreements, recordings, chosenMelodies } = services;
    const home = await lists(student.id, signal, async () => ({
      [api.feedback.newestUnread.path]: answerBody(api.feedback.newestUnread, {
        status: 200,
        body: { newest: await feedback.newestUnread(student) },
      }),
      [api.feedback.unreadCount.path]: answerBody(api.feedback.unreadCount, {
        status: 200,
        body: { count: await feedback.countUnread(student) },
      }),
      [api.agreements.waiting.path]: answerBody(api.agreements.waiting, {
        status: 200,
        body: { count: await agreements.countWaiting(student) },
      }),
      [api.recordings.waiting.path]: answerBody(api.recordings.waiting, {
        status: 200,
        body: await recordings.waitingOf(student),
      }),
      [api.chosenMelodies.today.path]: answerBody(api.chosenMelodies.today, {
        status: 200,
        body: await chosenMelodies.today(student),
      }),
    })).catch(ignoreCrowd);
    return home ?? {};
  }

  const words = {
    ...{ appName, tagline, teacherTitle, sendsMail: mailServer !== null },
    passkeyOrigin: passkeyOriginOf(settings),
  };
  /** The melody that the address opens the player of; null for none, or one that the caller may not hear. */
  const played = async (caller: Caller, search: string) => {
    const id = playedMelodyIn(new URLSearchParams(search));
    return id !== null ? await services.melodies.get(caller, id).catch(ignoreUnknown) : null;
  };

  return async (path, search, caller, isShell, signal) => {
    const content: PageContent = {
      settings: words,
      answers: isShell ? {} : { [api.signIn.whoAmI.path]: null },
      position: null,
      images: [],
      fonts: [],
      modules: [],
      title: null,
    };
    if (!caller) return content;
    // Before anything is read from the database: what changes meanwhile is told then.
    content.position = position();
    content.answers[api.signIn.whoAmI.path] = answerBody(api.signIn.whoAmI, { status: 200, body: caller });
    const page = [LIBRARY, HOME].find((known) => known.path === path);
    if (caller.role === 'admin') {
      const notices = await services.notices.list();
      content.answers[api.notices.list.path] = answerBody(api.notices.list, { status: 200, body: notices });
    }
    content.modules = [...new Set([PROGRAM, SIGNED_IN, ...(page ? [page.source] : [])].flatMap(modulesOf))];
    if (page === HOME && caller.role === 'student')
      Object.assign(content.answers, await answersOfHome(caller, signal));
    if (page !== LIBRARY) return content;
    // One after the other: a queued list uses one connection.
    const library = await lists(caller.id, signal, async () => ({
      melodies: await services.melodies.list(caller, 'card'),
      levels: await services.levels.listFor(caller),
      melody: await played(caller, search),
    })).catch(ignoreCrowd);
    if (!library) return content;
    const { melodies, levels, melody } = library;
    content.answers[LIBRARY_LIST] = answerBody(api.melodies.list, { status: 200, body: melodies });
    content.answers[api.levels.mine.path] = answerBody(api.levels.mine, { status: 200, body: levels });
    if (melody) {
      content.answers[`${api.melodies.list.path}/${melody.id}`] = answerBody(api.melodies.one, {
        status: 200,
        body: melody,
      });
      content.modules = [...new Set([...content.modules, ...modulesOf(PLAYER)])];
      // Another face would stand there first, and break its lines elsewhere.
      if (hasTibetan(melody.melodyText ?? '')) content.fonts = modulesOf(TIBETAN);
    }
    content.title = LIBRARY.title;
    // Behind a player they have time.
    content.images = melodies
      .slice(0, melody ? 0 : FIRST_CARDS)
      .flatMap(({ thumbnailUrl }) => (thumbnailUrl ? [`/api/files/${thumbnailUrl}?type=image`] : []));
    return content;
  };
}

/** Too many lists are queued: the page comes without its own, and requests it by itself. */
function ignoreCrowd(error: unknown): null {
  if (error instanceof AppError && (error.code === 'too-many' || error.code === 'unavailable')) return null;
  throw error;
}

/** The player says so itself, once it has asked. */
function ignoreUnknown(error: unknown): null {
  if (error instanceof AppError && error.code === 'not-found') return null;
  throw error;
}
