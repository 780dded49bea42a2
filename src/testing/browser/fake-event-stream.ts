import { expect } from 'vitest';
import { LIVE_STREAM_START_DELAY_MS } from '#web/live/use-live-changes.ts';
import { renderPage } from './render-page.tsx';

let streams: FakeStream[] = [];

class FakeStream {
  onmessage: ((event: { data: string; lastEventId: string }) => void) | null = null;
  constructor() {
    streams.push(this);
  }
  close() {
    streams = streams.filter((each) => each !== this);
  }
}

/** Replaces the event stream with one that sends nothing by itself. */
export function installFakeEventStream() {
  window.EventSource = FakeStream as unknown as typeof EventSource;
}

/** Returns whether the page has opened its event stream, which it does a few seconds after it has loaded. */
export const hasEventStream = () => streams.length > 0;

/** Opens a page whose event stream starts immediately rather than a few seconds later. */
export async function openPageWithStream(...of: Parameters<typeof renderPage>) {
  const { setTimeout } = window;
  const hurried = (then: () => void, delay?: number, ...rest: []) =>
    setTimeout(then, delay === LIVE_STREAM_START_DELAY_MS ? 0 : delay, ...rest);
  window.setTimeout = hurried as typeof setTimeout;
  try {
    await renderPage(...of);
    await expect.poll(hasEventStream).toBe(true);
  } finally {
    window.setTimeout = setTimeout;
  }
}

/** Hides the tab behind another, or shows it again. */
export function setTabVisibility(visibilityState: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibilityState });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Sends the message that the stream has just opened and that changes may have been missed. */
export const sendStreamReopenedMessage = () => sendMessage(null);

/** Sends the message that somebody else has changed the data of these URLs. */
export const sendChanges = (...refreshes: string[]) => sendMessage(refreshes);

function sendMessage(refreshes: string[] | null) {
  for (const { onmessage } of streams) onmessage?.({ data: JSON.stringify({ refreshes }), lastEventId: '' });
}
