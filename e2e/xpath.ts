// How the browsers that Playwright does not drive find what is on a page.

export const fieldLabelled = (label: string) => `//input[@id = //label[contains(., "${label}")]/@for]`;

/** @param within where, if not anywhere on the page */
export const buttonNamed = (name: string, within = '') =>
  `${within}//button[contains(., "${name}") or @aria-label = "${name}"]`;

export const DIALOG = '//*[@role = "dialog"]';
