import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Log } from '../log.ts';
import { createDisconnectSignal } from './disconnect-signal.ts';
import type { IdentifyCaller, InProcessCall } from './mount.ts';

/** Data that fills the page's template. */
export type PageContent = {
  /** Community settings that the browser needs. */
  settings: {
    appName: string;
    tagline: string;
    teacherTitle: string;
    sendsMail: boolean;
    passkeyOrigin: string | null;
  };
  /** Responses to the page's first API requests, by path. Embedding them saves a round trip. */
  answers: Record<string, unknown>;
  /** URLs of pictures on the first screen. */
  images: string[];
  /** URLs of fonts for text on the first screen. */
  fonts: string[];
  /** URLs of scripts that the page will import. */
  modules: string[];
  /**
   * The page's title, for rendering the first screen on the server. Null if `answers` lacks anything that the
   * screen needs.
   */
  title: string | null;
  /**
   * Class of `<html>` in a server-rendered page, the same class that the page's scripts set with
   * `useRootClass`; '' for none.
   */
  rootClass: string;
};

export type LoadPageContent = (
  page: {
    path: string;
    /** The query string including the question mark, or ''. */
    search: string;
    isShell: boolean;
  } & Pick<InProcessCall, 'request' | 'reply' | 'signal'>,
) => Promise<PageContent>;

/**
 * Renders a page's first screen to HTML, from the JSON that is embedded in it.
 * @param search the query string including the question mark, or ''
 */
export type RenderPage = (path: string, search: string, json: string) => Promise<string>;

/**
 * Returns the HTML template of a page: the built one, or Vite's in development.
 * @param isPainted whether the page shows something before the program has loaded; its styles are then
 * inlined
 */
export type LoadPageTemplate = (path: string, isPainted: boolean) => Promise<string>;

/** Serves the app's HTML page for every path outside the API that doesn't look like a file name. */
export function mountPage(
  app: FastifyInstance,
  template: LoadPageTemplate,
  identify: IdentifyCaller,
  contentFor: LoadPageContent,
  options: {
    develop: boolean;
    render: RenderPage | null;
    /** Returns the position in the change feed; null before the first change. */
    position: () => string | null;
    /** Origin from which audio is loaded; null if it is ours. */
    soundFrom?: string | null;
    log: Log;
  },
) {
  const { render, log } = options;

  /**
   * Renders the first screen.
   * @returns null if the browser has to render it instead
   */
  async function firstScreen(path: string, search: string, { title }: PageContent, json: string) {
    if (!render || title === null) return null;
    try {
      return await render(path, search, json);
    } catch (error) {
      log.error({ error, path }, 'a page could not be rendered; leaving it to the browser');
      return null;
    }
  }

  app.setNotFoundHandler((_, reply) => sendNotFound(reply));
  app.get('/*', { config: { pattern: '/*' } }, async (request, reply) => {
    const [path = '/'] = request.url.split('?', 1);
    if (NOT_A_PAGE.test(path)) return sendNotFound(reply);
    // The app shell, which browsers cache for offline use. It never contains anything about a user, whoever
    // requests it.
    const isShell = request.url === '/?shell';
    const search = request.url.slice(path.length);
    // Read before the data, so that changes made while the data is being read are sent to the page
    // afterwards.
    const position = options.position();
    request.caller = isShell ? null : await identify(request, reply);
    const content = await contentFor({
      path,
      search,
      isShell,
      request,
      reply,
      signal: createDisconnectSignal(reply),
    });
    const json = JSON.stringify({
      title: content.title ?? '',
      settings: content.settings,
      answers: content.answers,
      position: request.caller && position,
    });
    const html = await firstScreen(path, search, content, json);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': createContentSecurityPolicy(nonce, options),
        // Keeps the token of an emailed link out of the referrer of the page's requests.
        ...(search.includes('token=') && { 'referrer-policy': 'strict-origin' }),
      })
      .send(fillTemplate(await template(path, !request.caller || html !== null), nonce, content, json, html));
  });
}

/** Paths that are never pages: the API, and file names. Existing API paths and files have their own routes. */
const NOT_A_PAGE = /^\/(api|assets)(\/|$)|\.[^/]+$/;

const sendNotFound = (reply: FastifyReply) =>
  reply.code(404).header('cache-control', 'no-store').send({ message: 'Not found' });

function createContentSecurityPolicy(
  nonce: string,
  { develop, soundFrom }: { develop: boolean; soundFrom?: string | null },
): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // Allows inline styles in development, because Vite's client injects them at runtime. The built page has
    // only one style sheet.
    develop ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    `media-src 'self' blob:${soundFrom ? ` ${soundFrom}` : ''}`,
    "font-src 'self'",
    develop ? "connect-src 'self' ws:" : "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The root element with the placeholder that is shown until the program has loaded. */
const ROOT = /<div id="root">[\s\S]*<!--root-end-->\s*<\/div>/;

function fillTemplate(
  template: string,
  nonce: string,
  content: PageContent,
  json: string,
  html: string | null,
) {
  const { settings, images, fonts, modules, title, rootClass } = content;
  const head = [
    // Loads modules after the first paint if the server has rendered the page. On a slow connection, they would
    // delay that paint.
    ...modules.map(
      (href) =>
        `<link ${html === null ? 'rel' : 'data-later'}="modulepreload" href="${escapeHtml(href)}" nonce="${nonce}">`,
    ),
    ...images.map(
      (href) => `<link rel="preload" as="image" href="${escapeHtml(href)}" fetchpriority="high">`,
    ),
    ...fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" href="${escapeHtml(href)}" crossorigin>`,
    ),
  ].join('');
  // Escapes '<', so that no text in the data can end the script element.
  const data = json.replaceAll('<', String.raw`\u003c`);
  const script = `<script type="application/json" id="page-data" nonce="${nonce}">${data}</script>`;
  const name = title === null ? '__APP_NAME__' : `${escapeHtml(title)} · __APP_NAME__`;
  return (
    template
      .replace('<html ', html !== null && rootClass !== '' ? `<html class="${rootClass}" ` : '<html ')
      .replaceAll('__NONCE__', nonce)
      .replace('<title>__APP_NAME__', () => `<title>${name}`)
      .replaceAll('__APP_NAME__', () => escapeHtml(settings.appName))
      .replaceAll('__TAGLINE__', () => escapeHtml(settings.tagline))
      .replace('<!--page-head-->', () => head)
      .replace('<!--page-data-->', () => script)
      // Replaced last, so that no text in the rendered HTML is mistaken for one of the placeholders above.
      // React requires a root without surrounding whitespace.
      .replace(ROOT, (root) => (html === null ? root : `<div id="root" data-rendered>${html}</div>`))
  );
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
