import type { z } from 'zod';
import { allEndpoints } from '#app/api.ts';
import { toValidationIssues, toErrorSentence } from '#server/http/issues.ts';
import type { Endpoint } from '#shared/endpoint.ts';

type AnswersOf<E extends Endpoint> = { [S in keyof E['answers']]: E['answers'][S] }[keyof E['answers']];
/** Value that a service returns for an endpoint, with dates as Date objects. */
export type EndpointResult<E extends Endpoint> =
  AnswersOf<E> extends infer S extends z.ZodType ? z.input<S> : never;

/** A call that the page made. */
export type ReceivedCall = {
  method: string;
  path: string;
  query: Record<string, string>;
  /** The parsed JSON, or the fields of a form. */
  body: Record<string, unknown>;
};

type CreateResponse = (asked: ReceivedCall) => Response | Promise<Response>;
type Rule = { endpoint: Endpoint; reply: CreateResponse; times: number };

/** The error that fetch throws when the connection breaks. */
export class ConnectionError extends TypeError {}

/** Thrown by a response function to reject the call. */
export class RejectedCallError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const realFetch = window.fetch.bind(window);

let rules: Rule[] = [];
let receivedCalls: (ReceivedCall & { endpoint: Endpoint })[] = [];
let unansweredCalls: string[] = [];

/**
 * Sets the response of an endpoint from now on, or for the next `times` calls. For a list, pass all rows, which
 * are split into pages. As on the server, the contract parses the response, so that no test receives a response
 * that the server can't send.
 * @param options.pageSize rows per page, for tests in which the real number doesn't matter
 */
export function mockEndpoint<E extends Endpoint>(
  endpoint: E,
  given: EndpointResult<E> | ((asked: ReceivedCall) => EndpointResult<E> | Promise<EndpointResult<E>>),
  { times = Infinity, pageSize = endpoint.pageSize }: { times?: number; pageSize?: number } = {},
) {
  const answers = Object.entries(endpoint.answers).toReversed();
  addRule(endpoint, times, async (call) => {
    try {
      const value: unknown = isFunction(given) ? await given(call) : given;
      // If the schemas of several statuses accept the value, the highest status wins.
      const [status, schema] = answers.find(([, each]) => each.safeParse(value).success) ?? answers[0]!;
      const body: unknown = schema.parse(value);
      return pageSize
        ? createPageResponse(body as Row[], pageSize, call)
        : createJsonResponse(Number(status), body);
    } catch (error) {
      if (error instanceof RejectedCallError)
        return createJsonResponse(error.status, { message: error.message });
      throw error;
    }
  });
}

type Row = { id: number | string } | { recordingId: number } | { recording: { id: number } };

const getRowId = (row: Row) =>
  String('id' in row ? row.id : 'recording' in row ? row.recording.id : row.recordingId);

/**
 * Index of the last row of each page served, by the row's id. Used if that row is gone when the next page is
 * requested.
 */
let lastRowIndexes = new Map<string, number>();

function createPageResponse(
  rows: Row[],
  size: number,
  { path, query: { after, ...query } }: ReceivedCall,
): Response {
  const at = rows.findIndex((row) => getRowId(row) === after);
  const from = after === undefined ? 0 : at === -1 ? (lastRowIndexes.get(after) ?? 0) : at + 1;
  const page = rows.slice(from, from + size);
  const headers: Record<string, string> = { 'x-total-count': String(rows.length) };
  if (from + size < rows.length) {
    const last = getRowId(page.at(-1)!);
    lastRowIndexes.set(last, from + size - 1);
    headers['link'] = `<${path}?${new URLSearchParams({ ...query, after: last })}>; rel="next"`;
  }
  return createJsonResponse(200, page, headers);
}

type RejectionOptions = {
  message?: string;
  issues?: { path: string; message: string }[];
  retryAfter?: number;
  times?: number;
};

/**
 * Makes the endpoint respond with an error. Without a message, the response looks like that of a proxy.
 * @returns a function that removes this rule
 */
export function rejectCalls(
  endpoint: Endpoint,
  status: number,
  { message, issues, retryAfter, times = Infinity }: RejectionOptions = {},
) {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return addRule(endpoint, times, () =>
    message === undefined
      ? new Response('', { status, headers })
      : createJsonResponse(status, { message, ...(issues && { issues }) }, headers),
  );
}

/**
 * Makes calls to the endpoint fail with a connection error. The first `after` calls still get a response.
 * @returns a function that removes this rule
 */
export function breakConnection(endpoint: Endpoint, { times = Infinity, after = 0 } = {}) {
  const before = [...rules];
  let left = after;
  return addRule(endpoint, times + after, (call) => {
    if (left === 0) throw new ConnectionError();
    left -= 1;
    return findResponse(endpoint, call, before);
  });
}

/** Lets the next call reach the fake server but loses the response. */
export function loseNextResponse(endpoint: Endpoint) {
  const before = [...rules];
  addRule(endpoint, 1, async (call) => {
    await findResponse(endpoint, call, before);
    throw new ConnectionError();
  });
}

/**
 * Holds all responses of an endpoint until the returned function is called. After that, the other rules
 * apply. Holding only the next response would not be enough: StrictMode mounts a page twice, so the first
 * request is cancelled and sent again.
 * @param isMeant returns whether to hold this call
 */
export function holdResponses(
  endpoint: Endpoint,
  isMeant: (call: ReceivedCall) => boolean = () => true,
): () => void {
  let release = () => {};
  const seen = new Promise<void>((resolve) => (release = resolve));
  const before = [...rules];
  const end = addRule(endpoint, Infinity, async (call) => {
    if (!isMeant(call)) return findResponse(endpoint, call, before);
    await seen;
    return findResponse(endpoint, call, [...rules.filter((rule) => !before.includes(rule)), ...before]);
  });
  return () => {
    end();
    release();
  };
}

/** Sets how the test server serves a file from now on. test-files-plugin.ts describes the states. */
export const setFileState = (name: string, state: 'there' | 'broken' | 'silent' | 'damaged' | 'gone') =>
  realFetch(`/api/files/become?name=${name}&state=${state}`);

/** Returns the calls to an endpoint so far, oldest first. */
export const getCalls = (endpoint: Endpoint) => receivedCalls.filter((call) => call.endpoint === endpoint);

export const getCalledPaths = () => receivedCalls.map(({ path }) => path);

/** Returns the requests that no rule matched, and empties the list. */
export function drainUnansweredCalls(): string[] {
  const taken = unansweredCalls;
  unansweredCalls = [];
  return taken;
}

export function resetFakeApi() {
  rules = [];
  receivedCalls = [];
  unansweredCalls = [];
  lastRowIndexes = new Map();
}

const isFunction = (given: unknown): given is (call: ReceivedCall) => unknown => typeof given === 'function';

function addRule(endpoint: Endpoint, times: number, reply: CreateResponse): () => void {
  const rule = { endpoint, times, reply };
  rules.unshift(rule);
  return () => void (rule.times = 0);
}

function findResponse(endpoint: Endpoint, call: ReceivedCall, among: Rule[]): Response | Promise<Response> {
  const rule = among.find((each) => each.endpoint === endpoint && each.times > 0);
  if (!rule) {
    unansweredCalls.push(`${call.method} ${call.path}`);
    throw new ConnectionError();
  }
  rule.times -= 1;
  return rule.reply(call);
}

const createJsonResponse = (status: number, value: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

const patterns = allEndpoints
  .map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // Prefers a literal path to a path with a parameter.
  .sort((a, b) => Number(a.endpoint.path.includes('{')) - Number(b.endpoint.path.includes('{')));

/**
 * Returns whether the fake API handles a URL. Requests for files go to the test server, which supports Range.
 */
const isFakedUrl = (url: URL) =>
  url.origin === location.origin &&
  url.pathname.startsWith('/api/') &&
  !url.pathname.startsWith('/api/files/');

async function respond(url: URL, method: string, payload: unknown): Promise<Response> {
  const found = patterns.find(
    ({ endpoint, pattern }) => endpoint.method === method && pattern.test(url.pathname),
  );
  const call: ReceivedCall = {
    method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    body: parseBody(payload),
  };
  if (!found) {
    unansweredCalls.push(`${method} ${url.pathname}`);
    throw new ConnectionError();
  }
  receivedCalls.push({ ...call, endpoint: found.endpoint });
  const { body } = found.endpoint;
  const parsed = typeof payload === 'string' ? body?.safeParse(call.body) : undefined;
  if (parsed?.error) {
    const issues = toValidationIssues(parsed.error);
    return createJsonResponse(400, { message: toErrorSentence(issues), issues });
  }
  return findResponse(found.endpoint, call, rules);
}

function parseBody(payload: unknown): Record<string, unknown> {
  if (typeof payload === 'string') return JSON.parse(payload) as Record<string, unknown>;
  if (payload instanceof FormData) return Object.fromEntries(payload);
  return payload instanceof Blob ? { bytes: payload } : {};
}

const RealRequest = window.XMLHttpRequest;

/** Replaces fetch and XMLHttpRequest for API calls only. */
export function installFakeApi() {
  window.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    if (!isFakedUrl(url)) return realFetch(input, init);
    const { method = 'GET', body, signal } = init;
    return new Promise<Response>((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      respond(url, method, body).then(resolve, (error: unknown) => reject(error as Error));
    });
  };
  window.XMLHttpRequest = class extends RealRequest {
    #url: URL | null = null;
    #method = '';
    #answer: { status: number; text: string; headers: Headers } | null = null;
    #isAborted = false;

    override open(method: string, address: string | URL, ...rest: unknown[]) {
      const url = new URL(address, location.href);
      if (isFakedUrl(url)) [this.#url, this.#method] = [url, method];
      else super.open(method, address, ...(rest as [boolean]));
    }
    override setRequestHeader(name: string, value: string) {
      if (!this.#url) super.setRequestHeader(name, value);
    }
    override get status() {
      return this.#url ? (this.#answer?.status ?? 0) : super.status;
    }
    override get responseText() {
      return this.#url ? (this.#answer?.text ?? '') : super.responseText;
    }
    override getResponseHeader(name: string) {
      return this.#url ? (this.#answer?.headers.get(name) ?? null) : super.getResponseHeader(name);
    }
    override abort() {
      if (!this.#url) return super.abort();
      this.#isAborted = true;
      this.dispatchEvent(new ProgressEvent('abort'));
      this.dispatchEvent(new ProgressEvent('loadend'));
    }
    override send(payload?: XMLHttpRequestBodyInit | null) {
      if (!this.#url) return super.send(payload);
      this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 2 }));
      void respond(this.#url, this.#method, payload)
        .then(async (response) => {
          this.#answer = {
            status: response.status,
            text: await response.text(),
            headers: response.headers,
          };
          return 'load';
        })
        .catch(() => 'error')
        .then((event) => {
          if (this.#isAborted) return;
          this.dispatchEvent(new ProgressEvent(event));
          this.dispatchEvent(new ProgressEvent('loadend'));
        });
    }
  };
}
