import { expect, test } from 'vitest';
import type { z } from 'zod';
import { api } from '#app/api.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { buildFeedback, buildRecording, buildStudent, getToneFileName } from '#testing/browser/community.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, pressKeyOn, toastItem } from '#testing/browser/screen.ts';
import type { ownAgreement } from '../contract.ts';
// Imported statically, so that the code is already loaded when the page needs it, even on a busy machine.
import './own-agreements.tsx';

type Agreement = z.input<typeof ownAgreement>;

const user = buildStudent();
const TIBETAN = 'སངས་རྒྱས་ཆོས་དང་ཚོགས་ཀྱི་མཆོག་རྣམས་ལ།';
const anAgreement = (given: Partial<Agreement> = {}): Agreement => ({
  ...{ id: 7, recordingId: 3, start: 1, end: 19, wantsName: true, state: 'asked', name: null },
  ...{ askedAt: new Date(), answeredAt: null, noteText: TIBETAN, nameToShow: 'Tashi Dolma' },
  recording: { title: 'Refuge', audioUrl: getToneFileName(20), audioCopies: [], duration: 20, peaks: null },
  ...given,
});
const question = page.getByRole('article', { name: 'May others hear a passage of your recording?' });
const shared = page.getByRole('article', { name: 'Refuge, 0:01–0:19' });
const signature = page.getByLabelText('To agree, type your name');
const agree = page.getByRole('button', { name: 'I agree' });

/** Serves the agreement and stores its changes. */
function serveAgreement(first: Agreement | null) {
  let kept = first;
  mockEndpoint(api.agreements.mine, () => (kept ? [kept] : []));
  mockEndpoint(api.agreements.agree, ({ body }) => {
    const name = body['withName'] === true ? 'Tashi Dolma' : null;
    kept = { ...kept!, state: 'agreed', name, answeredAt: new Date() };
    return { message: 'Shared' };
  });
  const end = (message: string) => () => {
    kept = null;
    return { message };
  };
  mockEndpoint(api.agreements.decline, end('Declined'));
  mockEndpoint(api.agreements.revoke, end('No longer shared'));
}

test('a student plays a passage, agrees by keyboard and later stops sharing it', async () => {
  serveAgreement(anAgreement());
  mockEndpoint(api.feedback.mine, [
    buildFeedback(buildRecording('Refuge'), { writtenFeedback: 'Good.', status: 'integrated' }),
  ]);
  await renderPage('/feedback', { user });
  await expect.element(page.getByRole('heading', { name: 'A question for you' })).toBeVisible();
  await expect.element(question.getByText(TIBETAN)).toBeVisible();
  await expect
    .element(
      question.getByText('Only this passage will be heard, 0:01–0:19, nothing else from your recording.'),
    )
    .toBeVisible();
  await pressKeyOn(question.getByRole('button', { name: /^Play 0:01–0:19/ }), 'Enter');
  await expect.element(question.getByRole('button', { name: /^Stop 0:01–0:19/ })).toBeVisible();
  await pressKeyOn(question.getByRole('button', { name: /^Stop 0:01–0:19/ }), 'Enter');
  await expectAccessibleWithoutOverflow('a question');

  await pressKeyOn(signature, 'Enter');
  await expect.element(question.getByText('Please type your name.')).toBeVisible();
  await expect.element(signature).toHaveFocus();
  expect(getCalls(api.agreements.agree)).toEqual([]);
  await signature.fill('Tashi');
  await pressKeyOn(page.getByLabelText('Show my name, Tashi Dolma'), ' ');
  rejectCalls(api.agreements.agree, 503, { message: 'The file is damaged.', times: 1 });
  await pressKeyOn(agree, 'Enter');
  await expect.element(question.getByText('The file is damaged.')).toBeVisible();
  await pressKeyOn(agree, 'Enter');
  await expect.element(shared.getByText(/^Shared since .*, with your name, Tashi Dolma$/)).toBeVisible();
  await expect.element(toastItem.getByText('Passage shared')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Shared passages' })).toHaveFocus();
  expect(getCalls(api.agreements.agree).at(-1)!.body).toEqual({
    ...{ signature: 'Tashi', withName: true, noteText: TIBETAN },
  });
  await expectCount(question, 0);
  await expectAccessibleWithoutOverflow('what one shares');

  await pressKeyOn(shared.getByRole('button', { name: 'Stop sharing' }), 'Enter');
  const asked = page.getByRole('alertdialog');
  await expect.element(asked.getByText('Stop sharing this passage?')).toBeVisible();
  expect(getCalls(api.agreements.revoke)).toEqual([]);
  await pressKeyOn(asked.getByRole('button', { name: 'Stop sharing' }), 'Enter');
  await expect.element(toastItem.getByText('No longer shared')).toBeVisible();
  await expectCount(shared, 0);
  await expect.element(page.getByRole('heading', { name: 'View Feedback' })).toHaveFocus();
});

test('a question that does not ask for the name has no checkbox and can be declined', async () => {
  serveAgreement(anAgreement({ wantsName: false, noteText: null }));
  await renderPage('/feedback', { user });
  await expect.element(question.getByText('Your name isn’t shown.')).toBeVisible();
  await expectCount(question.getByRole('checkbox'), 0);
  await question.getByRole('button', { name: 'No, don’t share it' }).click();
  await expect.element(toastItem.getByText('Not shared')).toBeVisible();
  await expectCount(question, 0);
  expect(getCalls(api.agreements.agree)).toEqual([]);
  await expectCount(page.getByRole('heading', { name: 'A question for you' }), 0);
  await expectCount(page.getByRole('heading', { name: 'Shared passages' }), 0);
});

test('a question that is asked again after a restore explains why', async () => {
  serveAgreement(anAgreement({ answeredAt: new Date(2026, 4, 3) }));
  await renderPage('/feedback', { user });
  await expect.element(question.getByText(/^You agreed to this on .*restored from a backup/)).toBeVisible();
});
