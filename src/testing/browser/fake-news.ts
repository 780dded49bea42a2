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

/** Replaces the event stream with one that sends nothing by itself. */
export function installFakeNews() {
  window.EventSource = FakeStream as unknown as typeof EventSource;
}

/** Whether the page has opened its event stream, which it does some seconds after it is opened. */
export const listensForNews = () => streams.length > 0;

/** Opens a page whose event stream starts at once rather than some seconds later. */
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

/** Hides the tab behind another, or shows it again. */
export function showTab(visibilityState: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibilityState });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Reports that the stream has just opened and may have missed any change. */
export const openStream = () => say(null);

/** Reports that somebody else changed what these addresses return. */
export const tellOfChanges = (...refreshes: string[]) => say(refreshes);

function say(refreshes: string[] | null) {
  for (const { onmessage } of streams) onmessage?.({ data: JSON.stringify({ refreshes }), lastEventId: '' });
}
