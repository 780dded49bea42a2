import { expect } from 'vitest';
import { BEGINS_AFTER_MS } from '#web/live/use-live-changes.ts';
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

/** Takes the place of the stream of news, which says nothing by itself. */
export function installFakeNews() {
  window.EventSource = FakeStream as unknown as typeof EventSource;
}

/** The page listens for news from some seconds after it was opened. */
export const listensForNews = () => streams.length > 0;

/** Opens a page that listens at once, and not some seconds later. */
export async function openListening(...of: Parameters<typeof renderPage>) {
  const { setTimeout } = window;
  const hurried = (then: () => void, delay?: number, ...rest: []) =>
    setTimeout(then, delay === BEGINS_AFTER_MS ? 0 : delay, ...rest);
  window.setTimeout = hurried as typeof setTimeout;
  try {
    await renderPage(...of);
    await expect.poll(listensForNews).toBe(true);
  } finally {
    window.setTimeout = setTimeout;
  }
}

/** The tab is hidden behind another, or looked at again. */
export function showTab(visibilityState: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibilityState });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** The stream is open, and what has changed before cannot be said: anything may have. */
export const openStream = () => say(null);

/** Somebody else has changed what these addresses answer. */
export const tellOfChanges = (...refreshes: string[]) => say(refreshes);

function say(refreshes: string[] | null) {
  for (const { onmessage } of streams) onmessage?.({ data: JSON.stringify({ refreshes }), lastEventId: '' });
}
