// First, for it comes before React DOM.
import { complaints, letGoOfPage } from './document.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import { page } from 'vitest/browser';
import { pageData } from '../../platform/web/page-data.ts';
import '../../platform/web/styles/app.css';
import { quietCommunity } from './community.ts';
import { departures } from './departures.ts';
import { forgetAnswers, takeUnanswered } from './fake-api.ts';
import { closePage } from './render-page.tsx';

// Files share a page: each finds the program as nobody has used it.
localStorage.clear();
sessionStorage.clear();
pageData.answers = {};
letGoOfPage();
for (const loadAnew of globalThis.programState ?? []) loadAnew();

beforeEach(async () => {
  forgetAnswers();
  quietCommunity();
  complaints.length = 0;
  // What a page does about passkeys by itself is asked for where it is the matter.
  PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  departures.length = 0;
  localStorage.clear();
  sessionStorage.clear();
  // The browser notes 250 requests and no more; the page's own modules are more.
  performance.clearResourceTimings();
  document.documentElement.dataset['theme'] = 'light';
  document.documentElement.dataset['textSize'] = 'normal';
  scrollTo(0, 0);
  await page.viewport(1280, 900);
});

afterEach(() => {
  closePage();
  expect(takeUnanswered(), 'calls that nobody answered').toEqual([]);
  expect(complaints, 'what the browser complained of').toEqual([]);
});
