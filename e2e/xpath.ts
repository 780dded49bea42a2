// XPaths that find elements in browsers that Playwright does not drive.

export const buildFieldXPath = (label: string) => `//input[@id = //label[contains(., "${label}")]/@for]`;

/** @param within XPath of the element to search in; by default the whole page */
export const buildButtonXPath = (name: string, within = '') =>
  `${within}//button[contains(., "${name}") or @aria-label = "${name}"]`;

export const DIALOG_XPATH = '//*[@role = "dialog"]';
