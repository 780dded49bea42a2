import type { z } from 'zod';
import type { ErrorBody, ValidationIssue } from '#shared/errors.ts';
import { EXPECTED_USER_HEADER } from '#shared/expected-user.ts';
import { IDENTITY_PROOF_ISSUE_PATH } from '#shared/identity-proof.ts';
import { TOTAL_COUNT_HEADER } from '#shared/paging.ts';
import { cacheResponse, etagCache } from './etag-cache.ts';
import { FROM_DEVICE_HEADER, setIsLastResponseFromDevice } from '../offline/from-device.ts';
import { getPageUserId } from './page-user.ts';
import { requestIdentityProof } from './identity-proof-request.ts';

// Uses only the types of the contracts, so that pages load without zod. A form loads zod when it is needed (see
// useForm).
/** The endpoints that {@link callApi} can call. The app declares them by merging into this interface. */
// oxlint-disable-next-line typescript/no-empty-object-type -- empty until the app merges it
export interface ApiRegister {}
type Api = ApiRegister extends { api: infer A } ? A : never;
type Endpoints = { [F in keyof Api]: Api[F][keyof Api[F]] }[keyof Api];
type RouteOf<E> = E extends { method: infer M extends string; path: infer P extends string }
  ? `${M} ${P}`
  : never;
type Sent<S> = S extends z.ZodType ? z.input<S> : never;
type Received<S> = S extends z.ZodType ? z.output<S> : never;
type IsOptional<T> = Record<never, never> extends T ? true : false;

/** A part of a form: a File, or a blob and its file name. */
export type FilePart = File | { blob: Blob; name: string };

type ParamsOf<E> = E extends { params: infer S } ? { params: Sent<S> } : { params?: never };
type QueryOf<E> = E extends { query: infer S }
  ? IsOptional<Sent<S>> extends true
    ? { query?: Sent<S> }
    : { query: Sent<S> }
  : { query?: never };
type BodyOf<E> = E extends { files: infer F; body: infer S }
  ? { form: Sent<S> & { [K in keyof F]?: FilePart | null | undefined }; body?: never }
  : E extends { body: infer S }
    ? { body: Sent<S>; form?: never }
    : E extends { bytes: object }
      ? { bytes: Blob; body?: never; form?: never }
      : { body?: never; form?: never };
type RequestOptions = {
  signal?: AbortSignal | undefined;
  /** Called with the sent fraction, 0 to 1, while a form or bytes are being sent. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Lets the request complete even if the user leaves the page. Browsers limit its body to 64 KiB. */
  keepalive?: boolean | undefined;
  /** Id of the user who makes the call. Only the service worker sets it; the default is the page's user. */
  expectedUser?: string | undefined;
};

// A table keyed by route, because looking up an entry is cheap for the compiler, unlike conditional types.
type Calls = {
  [E in Endpoints as RouteOf<E>]: {
    options: ParamsOf<E> & QueryOf<E> & BodyOf<E> & RequestOptions;
    answer: E extends { answers: infer A } ? Received<A[keyof A]> : never;
    isPaged: E extends { pageSize: number } ? true : false;
  };
};
type Arguments = {
  [R in keyof Calls]: IsOptional<Calls[R]['options']> extends true
    ? [options?: Calls[R]['options']]
    : [options: Calls[R]['options']];
};

/** Every endpoint: `GET /api/melodies`, `PATCH /api/feedback/{id}/status`, … */
export type ApiRoute = keyof Calls;
export type ApiGetRoute = Extract<ApiRoute, `GET ${string}`>;
/** The endpoints that return a list in pages. */
export type PagedApiRoute = { [R in ApiRoute]: Calls[R]['isPaged'] extends true ? R : never }[ApiRoute];
/** Rest parameter of a call to this route: its options, which may be omitted if none is required. */
export type OptionsArgument<R extends ApiRoute> = Arguments[R];
/** The response of this route on success. */
export type ApiResponse<R extends ApiRoute> = Calls[R]['answer'];

/** A row of the list that this route returns. */
export type RowOf<R extends PagedApiRoute> = ApiResponse<R> extends (infer Row)[] ? Row : never;

export const NO_CONNECTION_MESSAGE = 'No connection. Please check your internet and try again.';

/** Error of a failed call. `status` is the HTTP status, or 0 if there was no response. */
export class CallError extends Error {
  readonly status: number;
  /**
   * Message for the user: the server's, or a fixed one if there was no response; null if the server sent
   * none.
   */
  readonly serverMessage: string | null;
  /** Read by {@link issuesOf}. */
  private readonly issues: ValidationIssue[];
  /** Seconds to wait before a retry, from the Retry-After header; null if it is absent or a date. */
  readonly retryAfter: number | null;

  constructor(status: number, text: string, retryAfter: number | null = null) {
    super(`${status}: ${text}`);
    this.name = 'CallError';
    const body = status === 0 ? { message: text } : parseErrorBody(text);
    this.status = status;
    this.serverMessage = body?.message ?? null;
    this.issues = body?.issues ?? [];
    this.retryAfter = retryAfter;
  }

  /**
   * Returns the server's validation issues for the fields; an empty list for any other error, such as a bug in
   * the page.
   */
  static issuesOf(error: unknown): readonly ValidationIssue[] {
    return error instanceof CallError ? error.issues : [];
  }
}

export const { issuesOf } = CallError;

/** Creates a lost-connection error; also used for a response that can't be from this server. */
export const createNoConnectionError = () => new CallError(0, NO_CONNECTION_MESSAGE);

export const isUnauthorizedError = (error: unknown) =>
  error instanceof CallError && error.status === 401 && error.message.includes('Unauthorized');

/**
 * Returns whether the server rejected the call because another tab has signed in as a different user. In that
 * case, the call had no effect.
 */
export const isOtherUserError = (error: unknown) => error instanceof CallError && error.status === 412;

/**
 * Classifies the error of a call or of a dynamic import. Other code must not interpret such errors itself.
 * - `no-answer`: there was no response. The connection, or a proxy, may recover soon.
 * - `refused`: the server responded with an error.
 * - `aborted`: the caller aborted the request, or the user declined something, such as a passkey prompt.
 * - `fault`: anything else, such as a bug in this page or a feature that this browser lacks. A better
 *   connection won't help.
 */
export function classifyError(error: unknown): 'no-answer' | 'refused' | 'aborted' | 'fault' {
  if (error instanceof CallError) return error.status === 0 ? 'no-answer' : 'refused';
  const { name = '', message = '' } = error instanceof Error ? error : {};
  // Recognizes the CancelledError of TanStack Query by its message, because its name is only 'Error'.
  if (name === 'AbortError' || name === 'NotAllowedError' || message === 'CancelledError') return 'aborted';
  return name === 'TimeoutError' || MISSING_CODE.test(message) ? 'no-answer' : 'fault';
}

/** Matches the error messages of the three browser engines and of Vite for a failed import. */
const MISSING_CODE = /dynamically imported module|importing a module script|preload CSS/i;

/** Logs a fault to the console, because the page shows only a fixed message without the cause. */
export function logUnexpectedError(error: unknown) {
  // oxlint-disable-next-line no-console
  if (classifyError(error) === 'fault') console.error(error);
}

export const UNEXPECTED_ERROR_MESSAGE = 'Something went wrong on this page. Please reload it.';

/**
 * Returns the message to show: the server's if it sent one, a fixed one for an unanswered call or a bug,
 * otherwise the fallback.
 */
export const getErrorMessage = <T extends string | undefined>(error: unknown, otherwise: T): string | T =>
  classifyError(error) === 'fault'
    ? UNEXPECTED_ERROR_MESSAGE
    : ((error as Partial<CallError>).serverMessage ?? otherwise);

const needsProof = (error: unknown) =>
  error instanceof CallError &&
  error.status === 403 &&
  issuesOf(error).some(({ path }) => path === IDENTITY_PROOF_ISSUE_PATH);

/** The latest mutation in flight, and when it was sent. */
let latestMutation: { key: string; answer: Promise<unknown>; sentAt: number } | null = null;

/** After this time, a repeated mutation is sent again, because the first request's connection may be dead. */
const COALESCE_MS = 10_000;

/**
 * Calls the API. The route determines the options and the response. If the server requires the user to
 * confirm their identity, asks them and then repeats the call. If the latest mutation is called again within
 * COALESCE_MS while it is in flight, for example by a double click, both calls share one request. Calls with
 * a form, bytes or a signal never share one.
 * @throws {CallError} if the response is an error, can't be from the server, or never comes
 */
export function callApi<R extends ApiRoute>(
  route: R,
  ...options: OptionsArgument<R>
): Promise<ApiResponse<R>>;
export async function callApi(route: string, options: LooseOptions = {}): Promise<unknown> {
  const { method } = splitRoute(route);
  const url = buildPath(route, options);
  const { body, form, bytes, signal, keepalive, expectedUser = getPageUserId() } = options;
  if (method === 'GET' || form || bytes || signal) return sendWithProof(method, url, options);
  const key = JSON.stringify([method, url, body, keepalive, expectedUser]);
  const now = performance.now();
  if (latestMutation?.key === key && now - latestMutation.sentAt < COALESCE_MS) return latestMutation.answer;
  const change = { key, answer: sendWithProof(method, url, options), sentAt: now };
  latestMutation = change;
  try {
    return await change.answer;
  } finally {
    if (latestMutation === change) latestMutation = null;
  }
}

async function sendWithProof(method: string, url: string, options: LooseOptions): Promise<unknown> {
  const ask = async () => parseJson((await sendAndParse(method, url, options)).text);
  try {
    return await ask();
  } catch (error) {
    if (!needsProof(error) || !(await requestIdentityProof())) throw error;
    return ask();
  }
}

export type FetchedPage<Row> = {
  rows: Row[];
  /** Number of rows in the whole list. */
  total: number;
  /** URL of the next page; null on the last page. */
  next: string | null;
};

/**
 * Fetches a page of a list by URL: the list's own URL for the first page, then the previous page's `next`.
 * @throws {CallError} for the same reasons as {@link callApi}
 */
export async function fetchPage<Row>(url: string, signal: AbortSignal): Promise<FetchedPage<Row>> {
  const { text, header } = await sendAndParse('GET', url, { signal });
  const rows = parseJson(text) as Row[];
  const next = /^<(.+)>; rel="next"$/.exec(header('link') ?? '')?.[1] ?? null;
  return { rows, total: Number(header(TOTAL_COUNT_HEADER) ?? rows.length), next };
}

/** Fetches all pages of a list. Only for short lists whose callers need every row. */
export async function fetchAllPages<R extends PagedApiRoute>(
  route: R,
  signal: AbortSignal,
): Promise<RowOf<R>[]> {
  const rows: RowOf<R>[] = [];
  for (let url: string | null = splitRoute(route).path; url !== null;) {
    const page: FetchedPage<RowOf<R>> = await fetchPage(url, signal);
    rows.push(...page.rows);
    url = page.next;
  }
  return rows;
}

async function sendAndParse(method: string, url: string, options: LooseOptions): Promise<RawResponse> {
  const {
    body,
    form,
    bytes,
    signal,
    onProgress,
    keepalive = false,
    expectedUser = getPageUserId(),
  } = options;
  const known = method === 'GET' ? etagCache.get(url) : undefined;
  const request: Request = {
    method,
    url,
    payload: bytes ?? (form ? toFormData(form) : body === undefined ? null : JSON.stringify(body)),
    headers: {
      ...getContentTypeHeader(options),
      ...(expectedUser !== null && { [EXPECTED_USER_HEADER]: expectedUser }),
      ...(known && { 'if-none-match': known.etag }),
    },
    signal,
    keepalive,
  };
  const answer = await ((form ?? bytes) && onProgress
    ? sendWithProgress(request, onProgress)
    : sendRequest(request));
  const { status, statusText, text, header } = answer;
  setIsLastResponseFromDevice(header(FROM_DEVICE_HEADER) !== null);
  if (status === 304 && known) return { ...answer, text: known.text };
  if (status < 200 || status > 299)
    throw new CallError(status, text || statusText, parseRetryAfter(header('retry-after')));
  if (method === 'GET') cacheResponse(url, header('etag'), text);
  return answer;
}

/**
 * Parses a response. Our server always sends JSON, but a captive portal or a proxy may answer 200 with
 * anything.
 * @throws {CallError} the same error as for a lost connection, if the text is not JSON
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createNoConnectionError();
  }
}

/** Returns the URL of a call, which is also its key in the query cache. */
export function buildApiUrl<R extends ApiRoute>(route: R, ...options: OptionsArgument<R>): string;
export function buildApiUrl(route: string, options: LooseOptions = {}): string {
  return buildPath(route, options);
}

function buildPath(route: string, { params, query }: LooseOptions) {
  const { path } = splitRoute(route);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

function getContentTypeHeader({ bytes, body }: LooseOptions): Record<string, string> {
  if (bytes) return { 'content-type': 'application/octet-stream' };
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

type Fields = Record<string, string | number | boolean | FilePart | Blob | null | undefined>;
type LooseOptions = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: Fields;
  bytes?: Blob;
} & RequestOptions;

type Request = {
  method: string;
  url: string;
  payload: FormData | Blob | string | null;
  headers: Record<string, string>;
  signal: AbortSignal | undefined;
  keepalive: boolean;
};
type RawResponse = {
  status: number;
  statusText: string;
  text: string;
  header: (name: string) => string | null;
};

function splitRoute(route: string) {
  const [method = '', path = ''] = route.split(' ');
  return { method, path };
}

async function sendRequest({
  method,
  url,
  payload,
  headers,
  signal,
  keepalive,
}: Request): Promise<RawResponse> {
  const init: RequestInit = {
    method,
    body: payload,
    headers,
    credentials: 'same-origin',
    keepalive,
    signal: signal ?? null,
  };
  try {
    const answer = await fetch(url, init);
    const { status, statusText } = answer;
    return { status, statusText, text: await answer.text(), header: (name) => answer.headers.get(name) };
  } catch (error) {
    if (signal?.aborted || !isConnectionError(error, init)) throw error;
    throw createNoConnectionError();
  }
}

/**
 * Returns whether an error that fetch threw means that there was no response, rather than a bug. Callers must
 * first check whether they aborted the request themselves.
 */
export function isConnectionError(error: unknown, init: RequestInit): boolean {
  if (classifyError(error) !== 'fault') return true;
  if (!(error instanceof TypeError)) return false;
  try {
    // fetch throws a TypeError both for a lost connection and for an invalid request. `new Request` throws only
    // for the latter.
    return Boolean(new Request('https://any', init));
  } catch {
    return false;
  }
}

// Uses XMLHttpRequest, because fetch still can't report upload progress.
function sendWithProgress(request: Request, onProgress: (fraction: number) => void): Promise<RawResponse> {
  const { method, url, payload, headers, signal } = request;
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const abort = () => xhr.abort();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    xhr.onload = () => {
      const { status, statusText, responseText: text } = xhr;
      resolve({ status, statusText, text, header: (name) => xhr.getResponseHeader(name) });
    };
    xhr.onerror = () => reject(createNoConnectionError());
    // Treats an abort without our signal as a lost connection, because the browser caused it.
    xhr.onabort = () =>
      reject(
        signal?.aborted
          ? new DOMException('The upload was stopped.', 'AbortError')
          : createNoConnectionError(),
      );
    xhr.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) return xhr.abort();
    xhr.send(payload);
  });
}

/** Parses Retry-After as seconds, which our server sends. Returns null for a date, which a proxy may send. */
const parseRetryAfter = (retryAfter: string | null) =>
  /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : null;

function toFormData(fields: Fields) {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) data.append(name, value);
    else if (typeof value === 'object') data.append(name, value.blob, value.name);
    else data.append(name, String(value));
  }
  return data;
}

/** Parses the body of an error, or returns null if it is not from this server. */
export function parseErrorBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    const isBody = typeof body === 'object' && body !== null && 'message' in body;
    return isBody && typeof body.message === 'string' ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}
