/**
 * Returns whether an `If-None-Match` header contains this version (RFC 9110, section 13.1.2: weak comparison).
 * `*` matches no version, because it is meant for requests that change something.
 */
export const matchesEtag = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(',').some((tag) => toOpaqueTag(tag) === toOpaqueTag(etag));

const toOpaqueTag = (tag: string) => tag.trim().replace(/^W\//, '');
