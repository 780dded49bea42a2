import { expect } from 'vitest';
import { type Locator, locators, page, userEvent } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /**
     * Finds an element that users see but that has no accessible name, such as a card or a region of the page.
     */
    css(selector: string): Locator;
  }
}

locators.extend({ css: (selector: string) => selector });

export { page, userEvent };

/** Focuses an element and presses a key on it. */
export async function pressKeyOn(locator: Locator, key: string) {
  await expect.element(locator).toBeInTheDocument();
  await waitForFocusReturn();
  (locator.element() as HTMLElement).focus();
  await expect.element(locator).toHaveFocus();
  await userEvent.keyboard(key.length === 1 ? key : `{${key}}`);
}

/**
 * Waits until a closed dialog has restored focus. The dialog does so in a later task, which would otherwise
 * take focus away from the element to press.
 */
const waitForFocusReturn = () => new Promise((done) => realTimeout(done));
/** The real `setTimeout`, even in a test with fake timers. */
const realTimeout = window.setTimeout.bind(window);

/**
 * Clicks from within the page. A click by the driver may return seconds later, when the audio that it started
 * has already ended.
 */
export async function clickInPage(locator: Locator) {
  await expect.element(locator).toBeInTheDocument();
  (locator.element() as HTMLElement).click();
}

/** Waits until the located elements have exactly these texts, in this order. */
export const expectTexts = (locator: Locator, texts: (string | RegExp)[]) =>
  expect
    .poll(() => locator.elements().map((element) => normalizeSpace(element.textContent)))
    .toEqual(texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))));

/** Chooses a file from within the page, because the driver takes seconds for a large file. */
export function chooseFile(input: Locator, file: File) {
  const chosen = new DataTransfer();
  chosen.items.add(file);
  const field = input.element() as HTMLInputElement;
  field.files = chosen.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Waits until the only located element contains this text. Uses `query`, because the error of `element`
 * describes the whole page, which takes seconds on a long page.
 */
export const expectText = (locator: Locator, text: string | RegExp) =>
  expect
    .poll(() => normalizeSpace(locator.query()?.textContent ?? null))
    .toMatch(typeof text === 'string' ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text);

export const expectCount = (locator: Locator, count: number) =>
  expect.poll(() => locator.elements().length).toBe(count);

export const expectUrl = (pattern: RegExp) =>
  expect.poll(() => location.pathname + location.search).toMatch(pattern);

/** The toast on screen, also above an open dialog. */
export const toastItem = page
  .getByRole('region', { name: /^Notifications/, includeHidden: true })
  .getByRole('listitem', { includeHidden: true });

const normalizeSpace = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
