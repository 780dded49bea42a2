import './without-timeline.ts';
import * as React from 'react';
import { departures } from './departures.ts';
import { installFakeApi } from './fake-api.ts';
import { installFakeNews } from './fake-news.ts';

// What is done to the document once, for all files that share it.

/** What the browser has complained of in this test. */
export const complaints: string[] = [];

for (const kind of ['error', 'warn'] as const) {
  const original = console[kind].bind(console);
  console[kind] = (...said: unknown[]) => {
    const words = said.map(String).join(' ');
    // The browser's note that a change of size was seen a frame later: no error is thrown, and tests change the size.
    if (words.includes('ResizeObserver loop completed')) return;
    complaints.push(words);
    original(...said);
  };
}

// For its warnings React keeps a stack of each element that is made, which is a tenth of a test's time.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object;
};
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} });

installFakeApi();

let askers: EventListenerOrEventListenerObject[] = [];
const { addEventListener } = window;
window.addEventListener = (...given: Parameters<typeof addEventListener>) => {
  if (given[0] === 'beforeunload' && given[1]) askers.push(given[1]);
  addEventListener.apply(window, given);
};

/** Nothing asks any more before the page goes. */
export function letGoOfPage() {
  for (const asker of askers) removeEventListener('beforeunload', asker);
  askers = [];
}

window.navigation.addEventListener('navigate', (event) => {
  if (event.hashChange || event.destination.sameDocument) return;
  event.preventDefault();
  // What leaves the document would take the test along.
  departures.push(event.downloadRequest || new URL(event.destination.url).pathname);
});

installFakeNews();
