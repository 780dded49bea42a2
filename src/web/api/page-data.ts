import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';

export type Settings = {
  appName: string;
  tagline: string;
  teacherTitle: string;
  /** Without a mail server mails wait for the teacher, who passes them on. */
  sendsMail: boolean;
  /** Where passkeys are for, being bound to one address; null if that is none that browsers take. */
  passkeyOrigin: string | null;
};

/** What comes with a page; the server renders from the same. */
export type PageData = {
  /** The name of the page that came, where the server knows it. */
  title: string;
  settings: Settings;
  answers: Record<string, unknown>;
  /** Where the feed of changes was before these were read. */
  position: string | null;
};

export const pageData: PageData = read();

/** This community's words, as the server was started with. */
export const { settings } = pageData;

/** On the server there is one for each request; in the browser there is one. */
export const PageDataContext = createContext(pageData);

export const useSettings = () => useContext(PageDataContext).settings;

/** Answers that came with the page need not be asked for again. */
export function keepAnswers(client: QueryClient, { answers }: PageData) {
  for (const [url, answer] of Object.entries(answers)) client.setQueryData([url], answer);
}

function read(): PageData {
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
