import { expect, test } from 'vitest';
import { listenForChanges, type LiveEnvironment } from './live-changes.ts';

/** A browser with several tabs: one lock, one channel between them, and the streams that are open. */
function fakeBrowser() {
  const streams: FakeStream[] = [];
  const channels = new Set<FakeChannel>();
  const waiting: { run: () => Promise<void>; signal: AbortSignal }[] = [];
  let isHeld = false;

  const next = () => {
    if (isHeld) return;
    const turn = waiting.shift();
    if (!turn) return;
    isHeld = true;
    void turn.run().finally(() => {
      isHeld = false;
      next();
    });
  };

  class FakeStream {
    onopen = () => {};
    onmessage = (_: { data: string }) => {};
    constructor() {
      streams.push(this);
    }
    close() {
      streams.splice(streams.indexOf(this), 1);
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
    openTab() {
      const document = Object.assign(new EventTarget(), {
        visibilityState: 'visible',
      });
      const heard: unknown[] = [];
      const environment = {
        document,
        locks: {
          request: (_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
            const turn = { run, signal };
            waiting.push(turn);
            signal.addEventListener('abort', () => {
              const at = waiting.indexOf(turn);
              if (at >= 0) waiting.splice(at, 1);
            });
            next();
            return Promise.resolve();
          },
        },
        openStream: () => new FakeStream(),
        openChannel: () => new FakeChannel(),
      } as unknown as LiveEnvironment;
      const end = listenForChanges((news) => heard.push(news), environment);
      const show = (visibilityState: DocumentVisibilityState) => {
        document.visibilityState = visibilityState;
        document.dispatchEvent(new Event('visibilitychange'));
      };
      return { heard, end, show };
    },
  };
}

const told = (...refreshes: string[]) => ({ data: JSON.stringify({ refreshes }) });
const settled = () => new Promise((resolve) => setTimeout(resolve));

test('of several tabs one keeps the stream, and all of them hear', async () => {
  const browser = fakeBrowser();
  const [one, other] = [browser.openTab(), browser.openTab()];
  expect(browser.streams).toHaveLength(1);
  browser.streams[0]!.onmessage(told('/api/feedback'));
  expect([one.heard, other.heard]).toEqual([[['/api/feedback']], [['/api/feedback']]]);
  one.end();
  await settled();
  expect(browser.streams).toHaveLength(1);
  browser.streams[0]!.onmessage(told('/api/user'));
  expect(other.heard).toEqual([['/api/feedback'], ['/api/user']]);
  other.end();
  await settled();
  expect(browser.streams).toEqual([]);
});

test('a hidden tab gives the stream up, and asks for all when it is seen again', async () => {
  const browser = fakeBrowser();
  const tab = browser.openTab();
  tab.show('hidden');
  await settled();
  expect(browser.streams).toEqual([]);
  tab.show('visible');
  await settled();
  browser.streams[0]!.onopen();
  expect(tab.heard).toEqual([null]);
  tab.end();
});

test('a tab that is hidden while it waits for its turn does not take it', async () => {
  const browser = fakeBrowser();
  const [one, other] = [browser.openTab(), browser.openTab()];
  other.show('hidden');
  one.end();
  await settled();
  expect(browser.streams).toEqual([]);
  other.end();
});
