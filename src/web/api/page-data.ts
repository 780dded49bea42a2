import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';

export type PageSettings = {
  appName: string;
  tagline: string;
  teacherTitle: string;
  /** False without a mail server: emails then wait for the teacher to pass them on. */
  sendsMail: boolean;
  /** The origin for which passkeys are valid; null if browsers don't allow passkeys on this origin. */
  passkeyOrigin: string | null;
};

/** Data embedded in a page. The server renders the page from the same data. */
export type PageData = {
  /** The page's title; empty if the server can't determine it. */
  title: string;
  settings: PageSettings;
  answers: Record<string, unknown>;
  /**
   * Position in the change feed, taken before `answers` were read, so that no later change is missed. Null
   * for a visitor, or before the first change.
   */
  position: string | null;
};

export const pageData: PageData = readPageData();

/** The page's settings, such as the community's name and texts. The server embeds them in the page. */
export const { settings } = pageData;

/** The page's data. The server creates it for each request; the browser has a single instance. */
export const PageDataContext = createContext(pageData);

export const usePageSettings = () => useContext(PageDataContext).settings;

/** Stores the responses that came with the page, so that they need not be fetched again. */
export function hydrateQueryCache(client: QueryClient, { answers }: PageData) {
  for (const [url, answer] of Object.entries(answers)) client.setQueryData([url], answer);
}

function readPageData(): PageData {
  const element = typeof document === 'undefined' ? null : document.getElementById('page-data');
  const text = element?.textContent;
  // Removes the element. Otherwise the data would stay readable in the page after sign-out.
  element?.remove();
  const {
    title = '',
    settings: words,
    answers = {},
    position = null,
  } = (text ? JSON.parse(text) : {}) as Partial<PageData>;
  return {
    title,
    settings: {
      appName: 'Yangchen',
      tagline: 'Songs of the heart, passed on by voice',
      teacherTitle: 'Khandro-la',
      sendsMail: true,
      passkeyOrigin: null,
      ...words,
    },
    answers,
    position,
  };
}
