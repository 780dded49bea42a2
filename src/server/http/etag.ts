/**
 * Whether an `If-None-Match` names this version (RFC 9110, section 13.1.2: weak comparison). `*` names none: it is for
 * requests that change something.
 */
export const namesVersion = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(',').some((tag) => opaque(tag) === opaque(etag));

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
