import { createScope } from '../scope.ts';

/** Browser features; tests pass their own. */
export type LiveEnvironment = {
  document: EventTarget & Pick<Document, 'visibilityState'>;
  /** Undefined on an insecure page: then each visible tab opens its own stream. */
  locks: Pick<LockManager, 'request'> | undefined;
  openStream(): EventSource;
  openChannel(): BroadcastChannel;
};

/** Message between tabs: the addresses that have changed; null if any may have, since nobody listened for a while. */
type News = readonly string[] | null;

/**
 * Reports changes on the server while this tab exists. Of all tabs of the browser, one visible tab holds the stream and
 * forwards what it receives; while all are hidden, there is no stream.
 * @param onChange called with the addresses whose responses are outdated; null when something may have been missed
 * @returns a function that stops listening
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
  // Set while the tab is visible: it waits for the lock, then holds the stream until it is hidden.
  let turn: AbortController | null = null;

  const pass = (news: News) => {
    onChange(news);
    channel.postMessage(news);
  };

  function keepStream(until: AbortSignal): Promise<void> {
    return new Promise((done) => {
      if (until.aborted) return done();
      const stream = environment.openStream();
      // When it first opens, too: changes since the page's own requests were missed.
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
    // Rejects when the tab is hidden before it gets the lock.
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
