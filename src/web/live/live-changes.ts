import { createResourceScope } from '../api/resource-scope.ts';

/** Browser APIs, which tests replace with fakes. */
export type LiveEnvironment = {
  document: EventTarget & Pick<Document, 'visibilityState'>;
  /** Undefined on an insecure page, where each visible tab opens its own stream. */
  locks: Pick<LockManager, 'request'> | undefined;
  openStream(address: string): EventSource;
  openChannel(): BroadcastChannel;
  /** Calls `act` at a random moment within this time. Returns a function that cancels the call. */
  within(ms: number, act: () => void): () => void;
};

/** The URLs whose data has changed; null if any may have changed. */
type ChangedAddresses = readonly string[] | null;

/** A message from the server. */
type LiveMessage = {
  refreshes: ChangedAddresses;
  /**
   * Maximum jitter of the client's refetch if `refreshes` is null, so that clients don't all refetch at the
   * same time.
   */
  withinMs?: number;
  /** Position up to which all changes have been sent; null if unknown. */
  position: string | null;
};

/**
 * A message from one tab to the others. The first message of a stream includes the position at which the stream
 * began.
 */
type ForwardedMessage = LiveMessage & { since?: string | null };

/**
 * Reports changes on the server while this tab is visible, and the changes it missed when it is visible again.
 * One tab of the browser holds the stream and forwards what it receives. Each tab stores the position up to
 * which it has received changes, and requests later changes when it starts to listen. So no change is missed,
 * whichever tab holds the stream.
 *
 * @param since the position at which the page's own data was read
 * @param onChange called with the URLs whose data is outdated; null if any data may be
 * @returns a function that stops listening
 */
export function listenForLiveChanges(
  since: string | null,
  onChange: (changed: ChangedAddresses) => void,
  environment: LiveEnvironment = getBrowserEnvironment(),
): () => void {
  const { document, locks } = environment;
  const scope = createResourceScope();
  const channel = environment.openChannel();
  let position = since;
  /** Whether this tab has received all changes so far, so that forwarded ones follow without a gap. */
  let isCurrent = false;
  let cancelWaiting: (() => void) | null = null;
  // Set while the tab is visible. The tab catches up and waits for the lock, then holds the stream until it is
  // hidden.
  let turn: AbortController | null = null;
  scope.own(() => channel.close());
  scope.own(() => cancelWaiting?.());
  scope.listen(channel, 'message', (event) =>
    receiveForwarded((event as MessageEvent<ForwardedMessage>).data),
  );

  function report({ refreshes, withinMs = 0 }: LiveMessage) {
    if (refreshes) {
      if (refreshes.length > 0) onChange(refreshes);
    } else if (withinMs === 0) onChange(null);
    else
      cancelWaiting ??= environment.within(withinMs, () => {
        cancelWaiting = null;
        onChange(null);
      });
  }

  function hear(news: LiveMessage) {
    isCurrent = true;
    position = news.position ?? position;
    report(news);
  }

  function receiveForwarded(news: ForwardedMessage) {
    // A hidden tab ignores forwarded messages, because it catches up when it is visible again.
    if (!turn) return;
    // Requests missed changes if another tab has taken over the stream at a different position. The changes in
    // between may not have been forwarded.
    if (news.since !== undefined && news.since !== position) {
      isCurrent = false;
      catchUp(turn.signal);
    }
    if (isCurrent) hear(news);
    else report(news);
  }

  function open(onNews: (news: LiveMessage) => void, until: AbortSignal) {
    const query = position === null ? '' : `?since=${encodeURIComponent(position)}`;
    const stream = environment.openStream(`/api/events${query}`);
    stream.onmessage = ({ data, lastEventId }: MessageEvent<string>) =>
      onNews({ ...(JSON.parse(data) as Omit<LiveMessage, 'position'>), position: lastEventId || null });
    until.addEventListener('abort', () => stream.close());
  }

  /**
   * Opens a stream and closes it after its first message, which contains the changes since this tab's
   * position. Returns a controller that closes the stream earlier.
   */
  function catchUp(until: AbortSignal): AbortController {
    const done = new AbortController();
    until.addEventListener('abort', () => done.abort());
    open((news) => {
      done.abort();
      hear(news);
    }, done.signal);
    return done;
  }

  function maintainStream(until: AbortSignal): Promise<void> {
    return new Promise((done) => {
      if (until.aborted) return done();
      let first: { since?: string | null } = { since: position };
      open((news) => {
        hear(news);
        channel.postMessage({ ...news, ...first } satisfies ForwardedMessage);
        first = {};
      }, until);
      until.addEventListener('abort', () => done());
    });
  }

  async function waitForStream(from: NonNullable<typeof locks>, signal: AbortSignal) {
    const wasFree = await from.request(LOCK_NAME, { ifAvailable: true }, async (lock) => {
      if (lock) await maintainStream(signal);
      return lock !== null;
    });
    if (wasFree || signal.aborted) return;
    const catchingUp = catchUp(signal);
    await from.request(LOCK_NAME, { signal }, () => {
      catchingUp.abort();
      return maintainStream(signal);
    });
  }

  function begin() {
    if (turn) return;
    const { signal } = (turn = new AbortController());
    // Ignores the rejection, which only means that the tab was hidden before it got the lock.
    (locks ? waitForStream(locks, signal) : maintainStream(signal)).catch(() => undefined);
  }

  function stop() {
    turn?.abort();
    turn = null;
    isCurrent = false;
  }

  const follow = () => (document.visibilityState === 'visible' ? begin() : stop());
  scope.listen(document, 'visibilitychange', follow);
  scope.own(stop);
  follow();
  return () => scope.end();
}

const LOCK_NAME = 'live changes';

const getBrowserEnvironment = (): LiveEnvironment => ({
  document: globalThis.document,
  locks: (navigator as Partial<Navigator>).locks,
  openStream: (address) => new EventSource(address),
  openChannel: () => new BroadcastChannel('live changes'),
  within: (ms, act) => {
    const timer = setTimeout(act, Math.random() * ms);
    return () => clearTimeout(timer);
  },
});
