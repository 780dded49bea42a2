import { queryClient } from './query-client.ts';

export type Settings = { appName: string; tagline: string; teacherTitle: string };

type PageData = { settings?: Partial<Settings>; answers?: Record<string, unknown> };

const pageData = read();

/** This community's words, as the server was started with. */
export const settings: Settings = {
  appName: 'Yangchen',
  tagline: 'Songs of the heart, passed on by voice',
  teacherTitle: 'Khandro-la',
  ...pageData.settings,
};

export const useSettings = () => settings;

/** Answers that came with the page need not be asked for again. */
export function keepAnswers() {
  for (const [url, answer] of Object.entries(pageData.answers ?? {})) queryClient.setQueryData([url], answer);
}

function read(): PageData {
  const text = document.getElementById('page-data')?.textContent;
  return text ? (JSON.parse(text) as PageData) : {};
}
