import * as React from 'react';
import { afterEach, beforeEach, expect } from 'vitest';
import { page } from 'vitest/browser';
import '#web/styles/app.css';
import { storeLastUser } from '#web/offline/last-user.ts';
import { clearPendingSignOut } from '#web/offline/pending-sign-out.ts';
import { mockEmptyCommunity } from './community.ts';
import { resetFakeApi, installFakeApi, drainUnansweredCalls } from './fake-api.ts';
import { navigationsAndDownloads } from './navigations-and-downloads.ts';
import { installFakeEventStream } from './fake-event-stream.ts';
import { closePage } from './render-page.tsx';

let complaints: string[] = [];
for (const kind of ['error', 'warn'] as const) {
  const original = console[kind].bind(console);
  console[kind] = (...said: unknown[]) => {
    const words = said.map(String).join(' ');
    // Ignores a harmless error: when a test resizes the page, the browser delivers some resize notifications
    // a frame late.
    if (words.includes('ResizeObserver loop completed')) return;
    complaints.push(words);
    original(...said);
  };
}

// Disables the stack traces that React records for each created element, because they take a tenth of a
// test's time.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object;
};
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} });

installFakeApi();

window.navigation.addEventListener('navigate', (event) => {
  if (event.hashChange || event.destination.sameDocument) return;
  event.preventDefault();
  // Only stores where the page would have gone, because leaving the document would end the test.
  navigationsAndDownloads.push(event.downloadRequest || new URL(event.destination.url).pathname);
});

installFakeEventStream();

beforeEach(async () => {
  resetFakeApi();
  mockEmptyCommunity();
  complaints = [];
  // Turns off passkey autofill. Tests of passkeys turn it on again.
  PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  navigationsAndDownloads.length = 0;
  localStorage.clear();
  sessionStorage.clear();
  clearPendingSignOut();
  await storeLastUser(null);
  // Clears the resource timings, because the browser records at most 250, and the page's own modules already
  // exceed that.
  performance.clearResourceTimings();
  document.documentElement.dataset['theme'] = 'light';
  document.documentElement.dataset['textSize'] = 'normal';
  scrollTo(0, 0);
  await page.viewport(1280, 900);
});

afterEach(() => {
  closePage();
  expect(drainUnansweredCalls(), 'the fake API answers every call').toEqual([]);
  expect(complaints, 'the page logs no errors').toEqual([]);
});
