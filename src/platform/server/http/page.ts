import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../sessions.ts';

/** What a page is built from, beside the template. */
export type PageContent = {
  /** This community's words, for the browser. */
  settings: { appName: string; tagline: string; teacherTitle: string };
  /** Answers that the page would ask for first, by their address: they come with it and save a round trip. */
  answers: Record<string, unknown>;
  /** Addresses of pictures that the first screen shows. */
  images: string[];
  /** Addresses of scripts that this path will import. */
  modules: string[];
};

/** Gives the template for a request: the built one, or Vite's while developing. */
export type PageTemplate = (path: string, caller: Caller | null) => Promise<string>;

/** Every path that is not the API's or an asset's is a page of the browser's application. */
export function mountPage(
  app: FastifyInstance,
  template: PageTemplate,
  identify: (request: FastifyRequest, reply: FastifyReply) => Promise<Caller | null>,
  contentFor: (path: string, caller: Caller | null) => Promise<PageContent>,
  options: { develop: boolean },
) {
  app.setNotFoundHandler((_, reply) => refuse(reply));
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    if (/^\/(api|assets)(\/|$)/.test(path)) return refuse(reply);
    const caller = await identify(request, reply);
    const content = await contentFor(path, caller);
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': policy(nonce, options.develop),
      })
      .send(fill(await template(path, caller), nonce, content));
  });
}

const refuse = (reply: FastifyReply) =>
  reply.code(404).header('cache-control', 'no-store').send({ message: 'Not found' });

function policy(nonce: string, develop: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // Vite's client adds styles as it goes; the built page has one style sheet.
    develop ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    develop ? "connect-src 'self' ws:" : "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function fill(template: string, nonce: string, content: PageContent): string {
  const { settings, answers, images, modules } = content;
  const head = [
    ...modules.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}" nonce="${nonce}">`),
    ...images.map(
      (href) => `<link rel="preload" as="image" href="${escapeHtml(href)}" fetchpriority="high">`,
    ),
  ].join('');
  // '<' is written as an escape, so that no text in the data can end the script element.
  const data = JSON.stringify({ settings, answers }).replaceAll('<', String.raw`\u003c`);
  const script = `<script type="application/json" id="page-data" nonce="${nonce}">${data}</script>`;
  return template
    .replaceAll('__NONCE__', nonce)
    .replaceAll('__APP_NAME__', () => escapeHtml(settings.appName))
    .replaceAll('__TAGLINE__', () => escapeHtml(settings.tagline))
    .replace('<!--page-head-->', () => head)
    .replace('<!--page-data-->', () => script);
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
