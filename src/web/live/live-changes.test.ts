import { expect, test } from 'vitest';
import { listenForLiveChanges, type LiveEnvironment } from './live-changes.ts';

/** A fake browser with several tabs: one lock, one channel between them, and the open streams. */
function fakeBrowser() {
  const streams: FakeStream[] = [];
  const channels = new Set<FakeChannel>();
  const waiting: { run: () => Promise<void>; signal: AbortSignal }[] = [];
  let isHeld = false;

  async function hold<T>(run: () => Promise<T>): Promise<T> {
    isHeld = true;
    try {
      return await run();
    } finally {
      isHeld = false;
      const turn = waiting.shift();
      if (turn) void hold(turn.run);
    }
  }

  class FakeStream {
    onmessage = (_: { data: string; lastEventId: string }) => {};
    readonly address: string;
    constructor(address: string) {
      this.address = address;
      streams.push(this);
    }
    /** Sends the changed URLs and the server's position. */
    say(lastEventId: string, ...refreshes: string[]) {
      this.onmessage({ data: JSON.stringify({ refreshes }), lastEventId });
    }
    /** Sends the message that anything may have changed. */
    sayAnything(lastEventId: string, withinMs?: number) {
      this.onmessage({ data: JSON.stringify({ refreshes: null, withinMs }), lastEventId });
    }
    close() {
      if (streams.includes(this)) streams.splice(streams.indexOf(this), 1);
    }
  }
  class FakeChannel extends EventTarget {
    constructor() {
      super();
      channels.add(this);
    }
    postMessage(data: unknown) {
      for (const channel of channels)
        if (channel !== this) channel.dispatchEvent(Object.assign(new Event('message'), { data }));
    }
    close() {
      channels.delete(this);
    }
  }

  return {
    streams,
    addresses: () => streams.map(({ address }) => address),
    openTab(since: string | null = null) {
      const document = Object.assign(new EventTarget(), {
        visibilityState: 'visible',
      });
      const heard: unknown[] = [];
      const delayed: { ms: number; act: () => void }[] = [];
      const environment = {
        document,
        locks: {
          request: (
            _: string,
            { signal, ifAvailable }: { signal: AbortSignal; ifAvailable?: boolean },
            run: (lock: object | null) => Promise<unknown>,
          ) => {
            if (!isHeld) return hold(() => run({}));
            if (ifAvailable) return run(null);
            const turn = { run: () => run({}) as Promise<void>, signal };
            waiting.push(turn);
            signal.addEventListener('abort', () => {
              const at = waiting.indexOf(turn);
              if (at >= 0) waiting.splice(at, 1);
            });
            return Promise.resolve();
          },
        },
        openStream: (address: string) => new FakeStream(address),
        openChannel: () => new FakeChannel(),
        within: (ms: number, act: () => void) => {
          const one = { ms, act };
          delayed.push(one);
          return () => void delayed.splice(delayed.indexOf(one), 1);
        },
      } as unknown as LiveEnvironment;
      const end = listenForLiveChanges(since, (news) => heard.push(news), environment);
      const show = (visibilityState: DocumentVisibilityState) => {
        document.visibilityState = visibilityState;
        document.dispatchEvent(new Event('visibilitychange'));
      };
      return { heard, delayed, end, show };
    },
  };
}

const waitForTask = () => new Promise((resolve) => setTimeout(resolve));

test('only one of several tabs holds the stream, and all tabs receive its changes', async () => {
  const browser = fakeBrowser();
  const [one, other] = [browser.openTab('p1'), browser.openTab('p1')];
  await waitForTask();
  const [kept, caughtUp] = browser.streams;
  kept!.say('p1');
  caughtUp!.say('p1');
  expect(browser.streams).toEqual([kept]);
  kept!.say('p2', '/api/feedback');
  expect([one.heard, other.heard]).toEqual([[['/api/feedback']], [['/api/feedback']]]);
  one.end();
  await waitForTask();
  expect(browser.addresses()).toEqual(['/api/events?since=p2']);
  browser.streams[0]!.say('p3', '/api/user');
  expect(other.heard.at(-1)).toEqual(['/api/user']);
  other.end();
  await waitForTask();
  expect(browser.streams).toEqual([]);
});

test('a new tab requests the changes since its data was read, if that time is known', async () => {
  const browser = fakeBrowser();
  const tab = browser.openTab('p 1');
  expect(browser.addresses()).toEqual(['/api/events?since=p%201']);
  browser.streams[0]!.say('p2');
  expect(tab.heard).toEqual([]);
  tab.end();
  await waitForTask();
  const unknown = browser.openTab(null);
  expect(browser.addresses()).toEqual(['/api/events']);
  browser.streams[0]!.sayAnything('p3');
  expect(unknown.heard).toEqual([null]);
  unknown.end();
});

test('a tab that becomes visible requests only the changes it has missed', async () => {
  const browser = fakeBrowser();
  const tab = browser.openTab('p1');
  browser.streams[0]!.say('p2', '/api/melodies');
  tab.show('hidden');
  await waitForTask();
  expect(browser.streams).toEqual([]);
  tab.show('visible');
  await waitForTask();
  expect(browser.addresses()).toEqual(['/api/events?since=p2']);
  tab.end();
});

test('a new tab requests changes that were forwarded before it opened', async () => {
  const browser = fakeBrowser();
  const one = browser.openTab('p1');
  browser.streams[0]!.say('p3', '/api/feedback');
  const later = browser.openTab('p2');
  await waitForTask();
  expect(browser.addresses()).toEqual(['/api/events?since=p1', '/api/events?since=p2']);
  // Hides the tab before the response to its request for missed changes arrives. A message forwarded in between
  // must not make the tab skip earlier messages.
  browser.streams[0]!.say('p4', '/api/melodies');
  later.show('hidden');
  later.show('visible');
  await waitForTask();
  expect(browser.addresses().at(-1)).toBe('/api/events?since=p2');
  browser.streams.at(-1)!.say('p4', '/api/feedback', '/api/melodies');
  expect(later.heard).toEqual([['/api/melodies'], ['/api/feedback', '/api/melodies']]);
  one.end();
  later.end();
});

test('a hidden tab ignores forwarded changes and requests them when visible again', async () => {
  const browser = fakeBrowser();
  const hidden = browser.openTab('p1');
  browser.streams[0]!.say('p1');
  hidden.show('hidden');
  await waitForTask();
  // The tab `other` has newer data, so it never requests the changes between p1 and p3.
  const other = browser.openTab('p3');
  await waitForTask();
  const [kept] = browser.streams;
  kept!.say('p4');
  kept!.say('p5', '/api/melodies');
  expect(hidden.heard).toEqual([]);
  hidden.show('visible');
  await waitForTask();
  expect(browser.addresses().at(-1)).toBe('/api/events?since=p1');
  // Hides and shows the tab before the response to its request for missed changes arrives. The message
  // forwarded in between doesn't directly follow the last one that the tab received, so the tab repeats its
  // request.
  kept!.say('p6', '/api/feedback');
  hidden.show('hidden');
  hidden.show('visible');
  await waitForTask();
  expect(browser.addresses().at(-1)).toBe('/api/events?since=p1');
  hidden.end();
  other.end();
});

test('when a tab takes over the stream, the other tabs request what they missed', async () => {
  const browser = fakeBrowser();
  const [one, other, third] = [browser.openTab('p1'), browser.openTab('p1'), browser.openTab('p1')];
  await waitForTask();
  const [kept, ofOther, ofThird] = browser.streams;
  kept!.say('p1');
  ofThird!.say('p1');
  // Sends a change to the tab `other`, but not to the tab `one`, which holds the stream. Then closes `one`.
  ofOther!.say('p2', '/api/feedback');
  one.end();
  await waitForTask();
  expect(browser.addresses()).toEqual(['/api/events?since=p2']);
  browser.streams[0]!.say('p2');
  expect(browser.addresses()).toEqual(['/api/events?since=p2', '/api/events?since=p1']);
  browser.streams[1]!.say('p2', '/api/feedback');
  expect(third.heard.at(-1)).toEqual(['/api/feedback']);
  expect(browser.streams).toHaveLength(1);
  other.end();
  third.end();
});

test('adds jitter to full refetches, but reports changes to single URLs immediately', async () => {
  const browser = fakeBrowser();
  const tab = browser.openTab('p1');
  const [stream] = browser.streams;
  stream!.sayAnything('p2', 30_000);
  stream!.sayAnything('p3', 30_000);
  stream!.say('p4', '/api/feedback');
  expect(tab.heard).toEqual([['/api/feedback']]);
  expect(tab.delayed.map(({ ms }) => ms)).toEqual([30_000]);
  tab.delayed[0]!.act();
  expect(tab.heard).toEqual([['/api/feedback'], null]);
  stream!.sayAnything('p5', 30_000);
  tab.end();
  await waitForTask();
  expect(tab.delayed).toHaveLength(1);
});

test('a tab that is hidden while waiting for the lock does not open a stream', async () => {
  const browser = fakeBrowser();
  const [one, other] = [browser.openTab(), browser.openTab()];
  await waitForTask();
  other.show('hidden');
  one.end();
  await waitForTask();
  expect(browser.streams).toEqual([]);
  other.end();
});
