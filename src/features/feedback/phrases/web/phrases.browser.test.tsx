import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { aMelody, aRecording, aTeacher, library } from '#testing/browser/community.ts';
import { answer, callsOf, refuse } from '#testing/browser/fake-api.ts';
import { focusFirstCard, inboxOf, keys } from '#testing/browser/inbox.ts';
import { expectAccessible, expectFineEverywhere } from '#testing/browser/look.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, expectTexts, page } from '#testing/browser/screen.ts';
import type { Phrase } from '../contract.ts';

const user = aTeacher();
const openInbox = () => renderPage('/admin', { user });
const text = page.getByLabelText('Written feedback');
const list = page.getByRole('listbox', { name: 'Phrases' });
const options = list.getByRole('option');
const dialog = page.getByRole('dialog', { name: 'Phrases' });

/** Fakes the server's phrases. */
function phrasesAre(...given: [name: string, text: string][]) {
  let kept: Phrase[] = given.map(([name, words], index) => ({ id: index + 1, name, text: words }));
  answer(api.phrases.list, () => kept);
  answer(api.phrases.add, ({ body }) => {
    const added = { id: kept.length + 1, ...(body as Omit<Phrase, 'id'>) };
    kept = [...kept, added];
    return added;
  });
  answer(api.phrases.change, ({ path, body }) => {
    const changed = { id: Number(/\d+/.exec(path)), ...(body as Omit<Phrase, 'id'>) };
    kept = kept.map((each) => (each.id === changed.id ? changed : each));
    return changed;
  });
  answer(api.phrases.remove, ({ path }) => {
    kept = kept.filter(({ id }) => id !== Number(/\d+/.exec(path)));
    return { message: 'Removed' };
  });
}

const THREE = [
  ['breath', 'Let each line end before the next breath, {name}.'],
  ['bridge', 'Carry the last syllable over.'],
  ['low', 'Begin lower.'],
] as const;

test('a phrase is inserted with a slash and two keys, with the student’s name', async () => {
  phrasesAre(...THREE.map(([name, words]): [string, string] => [name, words]));
  inboxOf(
    aRecording('First'),
    aRecording('Second', { student: { firstName: null, lastName: null, username: 'karma' } }),
  );
  await openInbox();
  await focusFirstCard('First');
  await keys('wOn 1/2 and/or so: /br');
  await expectTexts(options, [/^\/breath/, /^\/bridge/, 'Save my text as a phrase']);
  await expect.element(text).toHaveFocus();
  const active = () => document.getElementById(text.element().getAttribute('aria-activedescendant') ?? '');
  expect(active()).toBe(options.elements()[0]);
  // Above the line, because there is no room below, but not over it.
  expect(list.element().getBoundingClientRect().bottom).toBeLessThan(
    text.element().getBoundingClientRect().top + 24,
  );
  await expectFineEverywhere('phrases that are offered');
  await keys('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(active()).toBe(options.elements()[0]);
  await keys('{Enter}');
  await expectCount(list, 0);
  await expect
    .element(text)
    .toHaveValue('On 1/2 and/or so: Let each line end before the next breath, Tashi.');

  await keys(' /low');
  await expectCount(options, 2);
  await keys('{Escape}');
  await expectCount(list, 0);
  await expect.element(text).toHaveFocus();
  await keys('er{Control>}{Enter}{/Control}');
  await expect
    .poll(() => callsOf(api.feedback.send).map(({ body }) => body['writtenFeedback']))
    .toEqual(['On 1/2 and/or so: Let each line end before the next breath, Tashi. /lower']);

  // Opened by a keyboard shortcut on the card; a student without a name gets the username.
  await expect.element(page.getByRole('heading', { name: 'Second', exact: true })).toHaveFocus();
  await keys('t');
  await expectCount(options, 4);
  await keys('{Escape}');
  await expect.element(text).toHaveValue('');
  await keys('Well sung.{Alt>}t{/Alt}');
  await keys('br{Tab}');
  await expect.element(text).toHaveValue('Well sung. Let each line end before the next breath, karma.');
});

test('earlier sentences at the melody are offered below the phrases', async () => {
  const melody = aMelody('Refuge');
  library([melody]);
  phrasesAre(['low', 'Begin lower.']);
  answer(api.phrases.offered, [{ text: 'Begin lower.' }, { text: '{name}, let it rise.' }]);
  inboxOf(aRecording('First', { melodyId: melody.id, attempt: 1 }));
  await openInbox();
  await text.click();
  await keys('/');
  await expectTexts(options, [/^\/low/, 'Tashi, let it rise.', 'Add a phrase']);
  await options.nth(1).click();
  await expect.element(text).toHaveValue('Tashi, let it rise.');
  await expect.element(text).toHaveFocus();
});

test('phrases are offered in a mark’s words, and the list gets its keys first', async () => {
  phrasesAre(['low', 'Begin lower, {name}.']);
  inboxOf(aRecording('First'));
  await openInbox();
  await focusFirstCard('First');
  await keys('m');
  const words = page.getByLabelText(/^Comment at/);
  await expect.element(words).toHaveFocus();
  await keys('/l');
  await expectCount(options, 2);
  expect(list.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(
    words.element().getBoundingClientRect().bottom,
  );
  await keys('{Enter}');
  await expect.element(words).toHaveValue('Begin lower, Tashi.');
  await expect.element(words).toHaveFocus();
  await keys(' /low{Escape}');
  await expectCount(list, 0);
  await expect.element(words).toHaveFocus();
  await keys('{Enter}');
  await expect.element(words).not.toHaveFocus();
});

test('written text is saved as a phrase, edited, removed and put back', async () => {
  phrasesAre(['low', 'Begin lower.']);
  inboxOf(aRecording('First'));
  await openInbox();
  await text.click();
  await keys('Softer, Tashi. /');
  await expectCount(options, 2);
  await keys('{ArrowUp}{Enter}');
  await expect.element(dialog.getByLabelText('Text')).toHaveValue('Softer, {name}.');
  await expect.element(dialog.getByLabelText('Name')).toHaveFocus();
  await keys('too soft{Enter}');
  await expectText(dialog, 'Please choose a name without spaces or slashes.');
  refuse(api.phrases.add, 409, { message: 'You already have a phrase with this name.', times: 1 });
  await dialog.getByLabelText('Name').fill('soft');
  await keys('{Enter}');
  await expectText(dialog, 'You already have a phrase with this name.');
  await keys('{Enter}');
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
  await keys('{Escape}');
  await expect.element(text).toHaveValue('Softer, Tashi. ');
  expect(callsOf(api.feedback.send)).toEqual([]);
});
