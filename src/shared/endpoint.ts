import type { z } from 'zod';
import type { UploadSlot } from './media.ts';

const KIBIBYTE = 1024;

/** Maximum JSON body, in bytes, unless an endpoint sets another limit. */
export const DEFAULT_MAX_JSON_BYTES = 16 * KIBIBYTE;
/** Maximum JSON body, in bytes, for endpoints that accept a long text. */
export const MAX_LONG_TEXT_JSON_BYTES = 64 * KIBIBYTE;
/**
 * Maximum number of bytes that a character takes in JSON, because some serializers escape every character
 * (`\u0f40`).
 */
export const MAX_BYTES_PER_JSON_CHARACTER = 6;

/**
 * The callers an endpoint accepts. 'student' is every signed-in user who is not an admin; admins are rejected.
 * The service decides what a caller may access beyond that (whose row, which level).
 */
export type EndpointAccess = 'public' | 'signed-in' | 'student' | 'admin';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type SuccessStatus = 200 | 201;

/** `types` are the content types; absent if the response has no body. */
export type RawResponseSpec = { description: string; types?: string[] };

/**
 * An endpoint as data. The server mounts it, the browser calls it, and OpenAPI and the access test are
 * generated from it.
 */
export type Endpoint = {
  method: HttpMethod;
  /**
   * URL path in OpenAPI form, such as `/api/feedback/{id}/status`. The only path outside the API, /unsubscribe,
   * is also the URL of a page. Mail providers send a POST to it (RFC 8058).
   */
  path: `/api/${string}` | '/unsubscribe';
  access: EndpointAccess;
  /**
   * Rejects a session started with a teacher's code, because the teacher may be the person using that device.
   */
  isForOwnerOnly?: true;
  /** Callers who must have entered their password or used a passkey in this session within the last five minutes. */
  needsFreshProof?: 'signed-in' | 'admin';
  /** One sentence for OpenAPI. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON, or the text fields of a form if `files` is given. */
  body?: z.ZodObject;
  /**
   * The body is a form without files (urlencoded or multipart), as mail providers send it. Other bodies are
   * rejected.
   */
  isForm?: true;
  /**
   * Maximum body in bytes, if `body` allows more than {@link DEFAULT_MAX_JSON_BYTES}. Forms are limited by their
   * fields.
   */
  bodyBytes?: number;
  /** The named file parts of a multipart form. */
  files?: Record<string, UploadSlot>;
  /** The body is raw bytes (application/octet-stream), at most `max` of them. */
  bytes?: { max: number };
  /** The schema of each successful response. Responses are parsed before they are sent, so nothing else can leak. */
  answers: Partial<Record<SuccessStatus, z.ZodType>>;
  /** Maximum number of rows per page of an unbounded list (`paging.ts`). */
  pageSize?: number;
  /** Responses that the handler writes itself (a file, a redirect), by status; for OpenAPI. */
  raw?: Record<number, RawResponseSpec>;
  /**
   * The response is a stream that sets no cookies, because listening to it does not count as using the session.
   */
  staysOpen?: true;
  /** Many callers get the same response, so it is cached until it changes. */
  isShared?: true;
  /**
   * Responds even if the database is down. The lookup of the caller then times out after a second, and the
   * caller counts as a visitor.
   */
  needsNoDatabase?: true;
  /** Error statuses in addition to those of every endpoint; for OpenAPI. */
  refusals?: Record<number, string>;
};

/** The endpoints of each feature, by name. */
export type EndpointsByFeature = Record<string, Record<string, Endpoint>>;

/** Declares an endpoint and preserves its literal types. */
export const defineEndpoint = <const E extends Endpoint>(declared: E): E => declared;

/** Returns whether an endpoint accepts files or chunks of files. */
export const isUploadEndpoint = ({ files, bytes }: Endpoint) => Boolean(files ?? bytes);

/**
 * Returns whether sending the body may take long, because it contains files or, over a poor connection, a
 * long draft.
 */
export const needsLongTimeout = (endpoint: Endpoint) =>
  isUploadEndpoint(endpoint) || (endpoint.bodyBytes ?? DEFAULT_MAX_JSON_BYTES) > MAX_LONG_TEXT_JSON_BYTES;

/**
 * Returns whether an endpoint reads many rows. All such endpoints together, except shared ones, may use only
 * some of the database connections.
 */
export const isListEndpoint = ({ method, answers }: Endpoint) =>
  method === 'GET' && answers[200]?.type === 'array';
