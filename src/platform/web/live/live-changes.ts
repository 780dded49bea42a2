import { createScope } from '../scope.ts';

/** What the browser lends it; tests bring their own. */
export type LiveEnvironment = {
  document: EventTarget & Pick<Document, 'visibilityState'>;
  /** Undefined on an insecure page: then each visible tab opens a stream of its own. */
  locks: Pick<LockManager, 'request'> | undefined;
  openStream(): EventSource;
  openChannel(): BroadcastChannel;
};

/** Between tabs: these addresses have changed; null: anything may have, for a while nobody listened. */
type News = readonly string[] | null;

/**
 * Tells what has changed on the server, while this tab lives. Of all tabs of the browser, one that can be seen keeps
 * the stream and passes on what it hears; with all of them hidden there is none.
 * @param onChange the addresses whose answers are old; null when something may have been missed
 * @returns ends it
 */
export function listenForChanges(
  onChange: (news: News) => void,
  environment: LiveEnvironment = browserEnvironment(),
): () => void {
  const { document, locks } = environment;
  const scope = createScope();
  const channel = environment.openChannel();
  scope.own(() => channel.close());
  scope.listen(channel, 'message', (event) => onChange((event as MessageEvent<News>).data));
  // While it can be seen: waits for its turn, then keeps the stream until it is hidden.
  let turn: AbortController | null = null;

  const pass = (news: News) => {
    onChange(news);
    channel.postMessage(news);
  };

  function keepStream(until: AbortSignal): Promise<void> {
    return new Promise((done) => {
      if (until.aborted) return done();
      const stream = environment.openStream();
      // The first opening too: what happened between the page's own answers and now was heard by nobody.
      stream.onopen = () => pass(null);
      stream.onmessage = ({ data }: MessageEvent<string>) => pass(refreshesIn(data));
      until.addEventListener('abort', () => {
        stream.close();
        done();
      });
    });
  }

  function begin() {
    if (turn) return;
    const { signal } = (turn = new AbortController());
    const kept = locks
      ? locks.request('live changes', { signal }, () => keepStream(signal))
      : keepStream(signal);
    // Rejects when it is hidden before its turn came.
    kept.catch(() => undefined);
  }

  function stop() {
    turn?.abort();
    turn = null;
  }

  const follow = () => (document.visibilityState === 'visible' ? begin() : stop());
  scope.listen(document, 'visibilitychange', follow);
  scope.own(stop);
  follow();
  return () => scope.end();
}

function refreshesIn(data: string): readonly string[] {
  return (JSON.parse(data) as { refreshes: string[] }).refreshes;
}

const browserEnvironment = (): LiveEnvironment => ({
  document: globalThis.document,
  locks: (navigator as Partial<Navigator>).locks,
  openStream: () => new EventSource('/api/events'),
  openChannel: () => new BroadcastChannel('live changes'),
});
