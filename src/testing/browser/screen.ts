import { expect } from 'vitest';
import { type Locator, locators, page, userEvent } from 'vitest/browser';

declare module 'vitest/browser' {
  interface LocatorSelectors {
    /** For what a person sees but has no name: a card, a place on the page. */
    css(selector: string): Locator;
  }
}

locators.extend({ css: (selector: string) => selector });

export { page, userEvent };

/** Presses a key on something, after taking focus to it. */
export async function press(locator: Locator, key: string) {
  await expect.element(locator).toBeInTheDocument();
  await focusGivenBack();
  (locator.element() as HTMLElement).focus();
  await expect.element(locator).toHaveFocus();
  await userEvent.keyboard(key.length === 1 ? key : `{${key}}`);
}

/** A dialog gives focus back in a task after the one that closes it, and would take it from what is pressed next. */
const focusGivenBack = () => new Promise((done) => realTimeout(done));
/** Not that of a test whose clock stands still. */
const realTimeout = window.setTimeout.bind(window);

/** Clicks from within the page. A click by the driver may return seconds later, when what it began to play is over. */
export async function clickAtOnce(locator: Locator) {
  await expect.element(locator).toBeInTheDocument();
  (locator.element() as HTMLElement).click();
}

/** Waits until what a locator finds says just these texts, in this order. */
export const expectTexts = (locator: Locator, texts: (string | RegExp)[]) =>
  expect
    .poll(() => locator.elements().map((element) => tidy(element.textContent)))
    .toEqual(texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))));

/** Chooses a file. Through the driver, a large one takes seconds. */
export function chooseFile(input: Locator, file: File) {
  const chosen = new DataTransfer();
  chosen.items.add(file);
  const field = input.element() as HTMLInputElement;
  field.files = chosen.files;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * Waits until the one thing that a locator finds says this somewhere. Asked with `query`: the error of `element`
 * describes the whole page, which takes seconds on a long one.
 */
export const expectText = (locator: Locator, text: string | RegExp) =>
  expect
    .poll(() => tidy(locator.query()?.textContent ?? null))
    .toMatch(typeof text === 'string' ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text);

export const expectCount = (locator: Locator, count: number) =>
  expect.poll(() => locator.elements().length).toBe(count);

export const expectAddress = (pattern: RegExp) =>
  expect.poll(() => location.pathname + location.search).toMatch(pattern);

/** The toast that is there, above an open dialog too. */
export const toast = page
  .getByRole('region', { name: /^Notifications/, includeHidden: true })
  .getByRole('listitem', { includeHidden: true });

const tidy = (text: string | null) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
