import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildMelody, buildRecording, buildTeacher, mockLibrary } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { focusFirstCard, mockInbox, typeKeys } from '#testing/browser/inbox.ts';
import { expectAccessible, expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, expectTexts, page } from '#testing/browser/screen.ts';
import type { Phrase } from '../contract.ts';

const user = buildTeacher();
const openInbox = () => renderPage('/admin', { user });
const text = page.getByLabelText('Written feedback');
const list = page.getByRole('listbox', { name: 'Phrases' });
const options = list.getByRole('option');
const dialog = page.getByRole('dialog', { name: 'Phrases' });

/** Fakes the server's phrases. */
function servePhrases(...given: [name: string, text: string][]) {
  let kept: Phrase[] = given.map(([name, words], index) => ({ id: index + 1, name, text: words }));
  mockEndpoint(api.phrases.list, () => kept);
  mockEndpoint(api.phrases.add, ({ body }) => {
    const added = { id: kept.length + 1, ...(body as Omit<Phrase, 'id'>) };
    kept = [...kept, added];
    return added;
  });
  mockEndpoint(api.phrases.change, ({ path, body }) => {
    const changed = { id: Number(/\d+/.exec(path)), ...(body as Omit<Phrase, 'id'>) };
    kept = kept.map((each) => (each.id === changed.id ? changed : each));
    return changed;
  });
  mockEndpoint(api.phrases.remove, ({ path }) => {
    kept = kept.filter(({ id }) => id !== Number(/\d+/.exec(path)));
    return { message: 'Removed' };
  });
}

const THREE = [
  ['breath', 'Let each line end before the next breath, {name}.'],
  ['bridge', 'Carry the last syllable over.'],
  ['low', 'Begin lower.'],
] as const;

test('a slash, two letters and Enter insert a phrase with the student’s name', async () => {
  servePhrases(...THREE.map(([name, words]): [string, string] => [name, words]));
  mockInbox(
    buildRecording('First'),
    buildRecording('Second', { student: { firstName: null, lastName: null, username: 'karma' } }),
  );
  await openInbox();
  await focusFirstCard('First');
  await typeKeys('wOn 1/2 and/or so: /br');
  await expectTexts(options, [/^\/breath/, /^\/bridge/, 'Save my text as a phrase']);
  await expect.element(text).toHaveFocus();
  const active = () => document.getElementById(text.element().getAttribute('aria-activedescendant') ?? '');
  expect(active()).toBe(options.elements()[0]);
  // There is no room below the line, so the list is above it, without covering it.
  expect(list.element().getBoundingClientRect().bottom).toBeLessThan(
    text.element().getBoundingClientRect().top + 24,
  );
  await expectAccessibleWithoutOverflow('phrases that are offered');
  await typeKeys('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(active()).toBe(options.elements()[0]);
  await typeKeys('{Enter}');
  await expectCount(list, 0);
  await expect
    .element(text)
    .toHaveValue('On 1/2 and/or so: Let each line end before the next breath, Tashi.');

  await typeKeys(' /low');
  await expectCount(options, 2);
  await typeKeys('{Escape}');
  await expectCount(list, 0);
  await expect.element(text).toHaveFocus();
  await typeKeys('er{Control>}{Enter}{/Control}');
  await expect
    .poll(() => getCalls(api.feedback.send).map(({ body }) => body['writtenFeedback']))
    .toEqual(['On 1/2 and/or so: Let each line end before the next breath, Tashi. /lower']);

  // A keyboard shortcut on the card opens the list. The username replaces a missing first name.
  await expect.element(page.getByRole('heading', { name: 'Second', exact: true })).toHaveFocus();
  await typeKeys('t');
  await expectCount(options, 4);
  await typeKeys('{Escape}');
  await expect.element(text).toHaveValue('');
  await typeKeys('Well sung.{Alt>}t{/Alt}');
  await typeKeys('br{Tab}');
  await expect.element(text).toHaveValue('Well sung. Let each line end before the next breath, karma.');
});

test('sentences from earlier feedback on the melody are listed below the phrases', async () => {
  const melody = buildMelody('Refuge');
  mockLibrary([melody]);
  servePhrases(['low', 'Begin lower.']);
  mockEndpoint(api.phrases.offered, [{ text: 'Begin lower.' }, { text: '{name}, let it rise.' }]);
  mockInbox(buildRecording('First', { melodyId: melody.id, attempt: 1 }));
  await openInbox();
  await text.click();
  await typeKeys('/');
  await expectTexts(options, [/^\/low/, 'Tashi, let it rise.', 'Add a phrase']);
  await options.nth(1).click();
  await expect.element(text).toHaveValue('Tashi, let it rise.');
  await expect.element(text).toHaveFocus();
});

test('in a mark’s text field, Enter and Esc go to the list of phrases while it is open', async () => {
  servePhrases(['low', 'Begin lower, {name}.']);
  mockInbox(buildRecording('First'));
  await openInbox();
  await focusFirstCard('First');
  await typeKeys('m');
  const words = page.getByLabelText(/^Comment at/);
  await expect.element(words).toHaveFocus();
  await typeKeys('/l');
  await expectCount(options, 2);
  expect(list.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(
    words.element().getBoundingClientRect().bottom,
  );
  await typeKeys('{Enter}');
  await expect.element(words).toHaveValue('Begin lower, Tashi.');
  await expect.element(words).toHaveFocus();
  await typeKeys(' /low{Escape}');
  await expectCount(list, 0);
  await expect.element(words).toHaveFocus();
  await typeKeys('{Enter}');
  await expect.element(words).not.toHaveFocus();
});

test('teacher can save typed text as a phrase, edit it, remove it and restore it', async () => {
  servePhrases(['low', 'Begin lower.']);
  mockInbox(buildRecording('First'));
  await openInbox();
  await text.click();
  await typeKeys('Softer, Tashi. /');
  await expectCount(options, 2);
  await typeKeys('{ArrowUp}{Enter}');
  await expect.element(dialog.getByLabelText('Text')).toHaveValue('Softer, {name}.');
  await expect.element(dialog.getByLabelText('Name')).toHaveFocus();
  await typeKeys('too soft{Enter}');
  await expectText(dialog, 'Please choose a name without spaces or slashes.');
  rejectCalls(api.phrases.add, 409, { message: 'You already have a phrase with this name.', times: 1 });
  await dialog.getByLabelText('Name').fill('soft');
  await typeKeys('{Enter}');
  await expectText(dialog, 'You already have a phrase with this name.');
  await typeKeys('{Enter}');
  await expect.element(dialog.getByText('/soft')).toBeVisible();
  await expectAccessible('the phrases');
  await dialog.getByRole('button', { name: 'Edit /soft' }).click();
  await dialog.getByLabelText('Text').fill('Softer still.');
  await dialog.getByRole('button', { name: 'Save phrase' }).click();
  await expect.element(dialog.getByText('Softer still.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove /soft' }).click();
  await expectText(dialog.getByRole('status'), '/soft was removed.');
  await expectCount(dialog.getByText('Softer still.'), 0);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect.element(dialog.getByText('Softer still.')).toBeVisible();
  await typeKeys('{Escape}');
  await expect.element(text).toHaveValue('Softer, Tashi. ');
  expect(getCalls(api.feedback.send)).toEqual([]);
});
