export type TestResponse = {
  status: number;
  headers: Headers;
  /** The response body, parsed if it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert the shape of the answers they read
  body: any;
  bytes: Buffer;
};

type RequestExtras = { headers?: Record<string, string>; signal?: AbortSignal };

export type TestFormParts = Record<
  string,
  string | number | { bytes: Uint8Array; name: string; type?: string }
>;

/** An HTTP client that stores cookies, like a browser. */
export class TestClient {
  readonly cookies = new Map<string, string>();
  /** Headers sent with every request, like those that a page sets. */
  readonly headers: Record<string, string> = {};
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  get = (path: string, extra?: RequestExtras) => this.send('GET', path, undefined, extra);
  post = (path: string, body?: unknown, extra?: RequestExtras) => this.send('POST', path, body, extra);
  put = (path: string, body?: unknown, extra?: RequestExtras) => this.send('PUT', path, body, extra);
  patch = (path: string, body?: unknown, extra?: RequestExtras) => this.send('PATCH', path, body, extra);
  delete = (path: string, extra?: RequestExtras) => this.send('DELETE', path, undefined, extra);

  /** Sends a multipart form. */
  form(path: string, parts: TestFormParts, extra: RequestExtras & { method?: string } = {}) {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) {
      if (typeof value === 'object') {
        const blob = new Blob([Buffer.from(value.bytes)], { type: value.type ?? 'application/octet-stream' });
        form.append(name, blob, value.name);
      } else {
        form.append(name, String(value));
      }
    }
    return this.send(extra.method ?? 'POST', path, form, extra);
  }

  /**
   * Opens an event stream. `messages` collects what has arrived so far, and `events` only the messages that
   * name URLs to refetch.
   */
  async stream(path: string, headers: Record<string, string> = {}) {
    const ending = new AbortController();
    const answer = await fetch(this.base + path, {
      headers: { ...headers, cookie: this.cookieHeader() },
      signal: ending.signal,
    });
    const events: unknown[] = [];
    const messages: { id: string | null; refreshes: string[] | null; withinMs?: number }[] = [];
    const ended = (async () => {
      let text = '';
      try {
        for await (const chunk of answer.body ?? []) {
          text += Buffer.from(chunk as Uint8Array).toString('utf8');
          const parts = text.split('\n\n');
          text = parts.pop() ?? '';
          for (const part of parts) {
            const [, id = null, data] = /^(?:id: (.*)\n)?data: (.*)$/.exec(part) ?? [];
            if (data === undefined) continue;
            const news = JSON.parse(data) as { refreshes: string[] | null };
            messages.push({ id, ...news });
            if (news.refreshes && news.refreshes.length > 0) events.push(news);
          }
        }
      } catch (error) {
        if (!ending.signal.aborted) throw error;
      }
    })();
    const close = async () => {
      ending.abort();
      await ended;
    };
    return { status: answer.status, headers: answer.headers, events, messages, ended, close };
  }

  cookieHeader = () => [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async send(method: string, path: string, body?: unknown, extra: RequestExtras = {}): Promise<TestResponse> {
    const isForm = body instanceof FormData;
    const answer = await fetch(this.base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...this.headers,
        ...(this.cookies.size > 0 && { cookie: this.cookieHeader() }),
        ...(body !== undefined && !isForm && { 'content-type': getContentType(body) }),
        ...extra.headers,
      },
      ...(body !== undefined && {
        body:
          isForm || typeof body === 'string' || body instanceof Uint8Array
            ? toBody(body)
            : JSON.stringify(body),
      }),
      ...(extra.signal && { signal: extra.signal }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      const isCleared =
        value === '' || attributes.some((attribute) => /expires=thu, 01 jan 1970/i.test(attribute));
      if (isCleared) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    // A response to HEAD has a type but no body to parse.
    const isJson = bytes.length > 0 && answer.headers.get('content-type')?.startsWith('application/json');
    return {
      status: answer.status,
      headers: answer.headers,
      bytes,
      body: isJson ? (JSON.parse(bytes.toString('utf8')) as unknown) : bytes.toString('utf8'),
    };
  }
}

const getContentType = (body: unknown) =>
  body instanceof Uint8Array ? 'application/octet-stream' : 'application/json';
const toBody = (body: FormData | string | Uint8Array) =>
  body instanceof Uint8Array ? Buffer.from(body) : body;
