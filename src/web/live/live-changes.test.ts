import { expect, test } from 'vitest';
import { listenForChanges, type LiveEnvironment } from './live-changes.ts';

/** A browser with several tabs: one lock, one channel between them, and the streams that are open. */
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
    /** What the server says, and its position then. */
    say(lastEventId: string, ...refreshes: string[]) {
      this.onmessage({ data: JSON.stringify({ refreshes }), lastEventId });
    }
    /** The server does not know what has changed. */
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
      const end = listenForChanges(since, (news) => heard.push(news), environment);
      const show = (visibilityState: DocumentVisibilityState) => {
        document.visibilityState = visibilityState;
        document.dispatchEvent(new Event('visibilitychange'));
      };
      return { heard, delayed, end, show };
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('of several tabs one keeps the stream, and all of them hear', async () => {
  const browser = fakeBrowser();
  const [one, other] = [browser.openTab('p1'), browser.openTab('p1')];
  await settled();
  const [kept, caughtUp] = browser.streams;
  kept!.say('p1');
  caughtUp!.say('p1');
  expect(browser.streams).toEqual([kept]);
  kept!.say('p2', '/api/feedback');
  expect([one.heard, other.heard]).toEqual([[['/api/feedback']], [['/api/feedback']]]);
  one.end();
  await settled();
  expect(browser.addresses()).toEqual(['/api/events?since=p2']);
  browser.streams[0]!.say('p3', '/api/user');
  expect(other.heard.at(-1)).toEqual(['/api/user']);
  other.end();
  await settled();
  expect(browser.streams).toEqual([]);
});

test('a page asks for what came after its own data, and for anything where that is not known', async () => {
  const browser = fakeBrowser();
  const tab = browser.openTab('p 1');
  expect(browser.addresses()).toEqual(['/api/events?since=p%201']);
  browser.streams[0]!.say('p2');
  expect(tab.heard).toEqual([]);
  tab.end();
  await settled();
  const unknown = browser.openTab(null);
  expect(browser.addresses()).toEqual(['/api/events']);
  browser.streams[0]!.sayAnything('p3');
  expect(unknown.heard).toEqual([null]);
  unknown.end();
});

test('a tab that is seen again asks for what came after the last that it heard', async () => {
  const browser = fakeBrowser();
  const tab = browser.openTab('p1');
  browser.streams[0]!.say('p2', '/api/melodies');
  tab.show('hidden');
  await settled();
  expect(browser.streams).toEqual([]);
  tab.show('visible');
  await settled();
  expect(browser.addresses()).toEqual(['/api/events?since=p2']);
  tab.end();
});

test('a tab that comes later hears also what the tab with the stream had forwarded before', async () => {
  const browser = fakeBrowser();
  const one = browser.openTab('p1');
  browser.streams[0]!.say('p3', '/api/feedback');
  const later = browser.openTab('p2');
  await settled();
  expect(browser.addresses()).toEqual(['/api/events?since=p1', '/api/events?since=p2']);
  // Hidden before the answer: what is forwarded meanwhile does not stand for what came before.
  browser.streams[0]!.say('p4', '/api/melodies');
  later.show('hidden');
  later.show('visible');
  await settled();
  expect(browser.addresses().at(-1)).toBe('/api/events?since=p2');
  browser.streams.at(-1)!.say('p4', '/api/feedback', '/api/melodies');
  expect(later.heard).toEqual([['/api/melodies'], ['/api/feedback', '/api/melodies']]);
  one.end();
  later.end();
});

test('a hidden tab leaves what is forwarded to when it is seen again', async () => {
  const browser = fakeBrowser();
  const hidden = browser.openTab('p1');
  browser.streams[0]!.say('p1');
  hidden.show('hidden');
  await settled();
  // Its own data is newer, and so it never asks for what came between.
  const other = browser.openTab('p3');
  await settled();
  const [kept] = browser.streams;
  kept!.say('p4');
  kept!.say('p5', '/api/melodies');
  expect(hidden.heard).toEqual([]);
  hidden.show('visible');
  await settled();
  expect(browser.addresses().at(-1)).toBe('/api/events?since=p1');
  // Before the answer, again: what is forwarded meanwhile does not follow on what it has heard.
  kept!.say('p6', '/api/feedback');
  hidden.show('hidden');
  hidden.show('visible');
  await settled();
  expect(browser.addresses().at(-1)).toBe('/api/events?since=p1');
  hidden.end();
  other.end();
});

test('when another tab takes the stream from elsewhere, the others ask for what nobody has forwarded', async () => {
  const browser = fakeBrowser();
  const [one, other, third] = [browser.openTab('p1'), browser.openTab('p1'), browser.openTab('p1')];
  await settled();
  const [kept, ofOther, ofThird] = browser.streams;
  kept!.say('p1');
  ofThird!.say('p1');
  // This one has heard more than the tab with the stream, which goes.
  ofOther!.say('p2', '/api/feedback');
  one.end();
  await settled();
  expect(browser.addresses()).toEqual(['/api/events?since=p2']);
  browser.streams[0]!.say('p2');
  expect(browser.addresses()).toEqual(['/api/events?since=p2', '/api/events?since=p1']);
  browser.streams[1]!.say('p2', '/api/feedback');
  expect(third.heard.at(-1)).toEqual(['/api/feedback']);
  expect(browser.streams).toHaveLength(1);
  other.end();
  third.end();
});

test('where everybody has to ask for everything, each waits for a moment of its own, and hears the rest at once', async () => {
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
  await settled();
  expect(tab.delayed).toHaveLength(1);
});

test('a tab that is hidden while it waits for its turn does not take it', async () => {
  const browser = fakeBrowser();
  const [one, other] = [browser.openTab(), browser.openTab()];
  await settled();
  other.show('hidden');
  one.end();
  await settled();
  expect(browser.streams).toEqual([]);
  other.end();
});
