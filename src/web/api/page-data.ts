import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';

export type Settings = {
  appName: string;
  tagline: string;
  teacherTitle: string;
  /** Without a mail server, mails wait for the teacher to pass them on. */
  sendsMail: boolean;
  /** The origin for which passkeys are valid; null if browsers don't accept it. */
  passkeyOrigin: string | null;
};

/** The data that comes with a page; the server renders from the same data. */
export type PageData = {
  /** The page's title, if the server knows it. */
  title: string;
  settings: Settings;
  answers: Record<string, unknown>;
  /** Position in the stream of changes before these responses were read. */
  position: string | null;
};

export const pageData: PageData = readPageData();

/** This community's texts, from the settings that the server was started with. */
export const { settings } = pageData;

/** One for each request on the server, and a single one in the browser. */
export const PageDataContext = createContext(pageData);

export const useSettings = () => useContext(PageDataContext).settings;

/** Stores the responses that came with the page, so that they need not be fetched again. */
export function hydrateQueryCache(client: QueryClient, { answers }: PageData) {
  for (const [url, answer] of Object.entries(answers)) client.setQueryData([url], answer);
}

function readPageData(): PageData {
  const element = typeof document === 'undefined' ? null : document.getElementById('page-data');
  const text = element?.textContent;
  // In the page it would outlive the session.
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
