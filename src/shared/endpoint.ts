import type { z } from 'zod';
import type { UploadSlot } from './media.ts';

const KIBIBYTE = 1024;

/** The largest body of JSON, unless an endpoint says otherwise. */
export const JSON_BYTES = 16 * KIBIBYTE;
/** For endpoints that take a long text. */
export const LONG_JSON_BYTES = 64 * KIBIBYTE;
/** How long a character of a text is in JSON at most: some writers escape each (`\u0f40`). */
export const JSON_CHARACTER_BYTES = 6;

/**
 * Who may call an endpoint. 'student' is every signed-in person who is not an admin, and an admin is refused there.
 * What a caller may reach behind the door (whose row, which level) is the service's to decide.
 */
export type Access = 'public' | 'signed-in' | 'student' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type SuccessStatus = 200 | 201;

/** `types` are those of its content; none for an answer without any. */
export type RawAnswer = { says: string; types?: string[] };

/** An endpoint as data: the server mounts it, the browser calls it, OpenAPI and the access test are made from it. */
export type Endpoint = {
  method: Method;
  /** OpenAPI form: `/api/feedback/{id}/status`. The one outside the API takes a POST at the address of a page. */
  path: `/api/${string}` | '/unsubscribe';
  access: Access;
  /** Refuses a session that a teacher's code started: the teacher may be the one who holds that device. */
  isForOwnerOnly?: true;
  /** Callers who must have given their password or a passkey in this session within the last five minutes. */
  needsFreshProof?: 'signed-in' | 'admin';
  /** One sentence for OpenAPI. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON, or the text fields of a form where `files` is given. */
  body?: z.ZodObject;
  /** The body is a form without files, urlencoded or multipart, as mail providers send it; anything else is refused. */
  isForm?: true;
  /** The largest body in bytes, where {@link JSON_BYTES} would refuse what `body` allows. Forms go by their fields. */
  bodyBytes?: number;
  /** The named file parts of a multipart form. */
  files?: Record<string, UploadSlot>;
  /** The body as it is (application/octet-stream), of at most so many bytes. */
  bytes?: { max: number };
  /** What a success looks like; parsed on the way out, so that nothing else can leave. */
  answers: Partial<Record<SuccessStatus, z.ZodType>>;
  /** The list can grow: it is answered in pages of at most so many rows (`paging.ts`). */
  pageSize?: number;
  /** The handler writes the answer itself (a file, a redirect): what it sends, by status; for OpenAPI. */
  raw?: Record<number, RawAnswer>;
  /** The answer is a stream that brings no cookies: listening to it does not count as using the session. */
  staysOpen?: true;
  /** What it answers is the same for many callers, so that it is made once and kept until it changes. */
  isShared?: true;
  /** It answers also while the database does not: who calls is looked for only a moment, and nobody after that. */
  needsNoDatabase?: true;
  /** Other statuses that a caller should expect beyond those every endpoint has; for OpenAPI. */
  refusals?: Record<number, string>;
};

/** The endpoints of each feature, by their names. */
export type Api = Record<string, Record<string, Endpoint>>;

/** Keeps the literal types of what is declared. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared;

/** Whether an endpoint takes more than JSON: files, or chunks of them. */
export const isUpload = ({ files, bytes }: Endpoint) => Boolean(files ?? bytes);

/** Whether its body may need more time than others: over a poor connection, a long draft does too. */
export const takesLong = (endpoint: Endpoint) =>
  isUpload(endpoint) || (endpoint.bodyBytes ?? JSON_BYTES) > LONG_JSON_BYTES;

/** Whether an endpoint reads many rows: such answers share a part of the database's connections, never all of them. */
export const isList = ({ method, answers }: Endpoint) => method === 'GET' && answers[200]?.type === 'array';
