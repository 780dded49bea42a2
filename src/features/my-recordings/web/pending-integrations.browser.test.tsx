import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildFeedback, buildRecording } from '#testing/browser/community.ts';
import { ConnectionError, getCalls, mockEndpoint, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { page } from '#testing/browser/screen.ts';

const integrateButton = page.getByRole('button', { name: 'Mark as Integrated' });
const undoButton = page.getByRole('button', { name: 'Undo' });

const listStoredMarks = () => Object.keys(localStorage).filter((key) => / integrated \d+$/.test(key));
const countSentMarks = () =>
  getCalls(api.feedback.setStatus).filter(({ body }) => body['status'] === 'integrated').length;

function serveFeedback() {
  const recording = buildRecording('Refuge', { status: 'reviewed' });
  const feedback = buildFeedback(recording, { status: 'read' });
  mockEndpoint(api.recordings.mine, [recording]);
  mockEndpoint(api.feedback.mine, [feedback]);
  mockEndpoint(api.feedback.setStatus, { ...feedback, status: 'integrated' });
}

/**
 * Simulates a browser that was killed during the undo window, which is over by now. The status change is still
 * stored on the device.
 */
async function killDuringUndoWindow() {
  await renderPage('/feedback');
  await integrateButton.click();
  const [key] = listStoredMarks();
  await undoButton.click();
  localStorage.setItem(key!, JSON.stringify({ dueAt: Date.now() - 1 }));
}

test('a status change is stored on the device until it is undone or sent', async () => {
  serveFeedback();
  await renderPage('/feedback');
  await integrateButton.click();
  expect(listStoredMarks()).toHaveLength(1);
  await undoButton.click();
  expect(listStoredMarks()).toEqual([]);
  await integrateButton.click();
  dispatchEvent(new PageTransitionEvent('pagehide'));
  await expect.poll(listStoredMarks).toEqual([]);
  expect(countSentMarks()).toBe(1);
});

test('a status change that can’t be sent while the page closes stays on the device', async () => {
  serveFeedback();
  await renderPage('/feedback');
  mockEndpoint(api.feedback.setStatus, () => {
    throw new ConnectionError();
  });
  await integrateButton.click();
  dispatchEvent(new PageTransitionEvent('pagehide'));
  await expect.element(page.getByText(/^Failed to update feedback status/).first()).toBeVisible();
  expect(listStoredMarks()).toHaveLength(1);
});

test('the next visit sends a status change left behind by a killed browser', async () => {
  serveFeedback();
  await killDuringUndoWindow();
  await renderPage('/past-recordings');
  await expect.poll(countSentMarks).toBe(1);
  await expect.poll(listStoredMarks).toEqual([]);
});

test('the next visit keeps a pending status change if there is no connection', async () => {
  serveFeedback();
  await killDuringUndoWindow();
  mockEndpoint(api.feedback.setStatus, () => {
    throw new ConnectionError();
  });
  await renderPage('/past-recordings');
  await expect.poll(countSentMarks).toBe(1);
  await expect.element(page.getByRole('article', { name: 'Refuge' })).toBeVisible();
  expect(listStoredMarks()).toHaveLength(1);
});

test('the next visit discards a status change if the feedback no longer exists', async () => {
  serveFeedback();
  await killDuringUndoWindow();
  rejectCalls(api.feedback.setStatus, 404, { message: 'Not found' });
  await renderPage('/past-recordings');
  await expect.poll(countSentMarks).toBe(1);
  await expect.poll(listStoredMarks).toEqual([]);
});
