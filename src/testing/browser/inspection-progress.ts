import { expect, vi } from 'vitest';
import { api } from '#app/api.ts';
import { type InspectionProgress, pollingPause } from '#web/uploads/with-inspection-polling.ts';
import { mockEndpoint, getCalls } from './fake-api.ts';

/**
 * Lets the test decide what the server reports about the inspection of an upload, and when the page polls for
 * it.
 */
export function fakeInspectionProgress() {
  let examination: InspectionProgress = null;
  mockEndpoint(api.uploads.examination, () => ({ examination }));
  let endPause: (() => void) | null = null;
  vi.spyOn(pollingPause, 'waitUntilVisible').mockImplementation(
    (_, signal) =>
      new Promise((resolve) => {
        endPause = () => resolve(true);
        signal.addEventListener('abort', () => resolve(false));
      }),
  );
  const count = () => getCalls(api.uploads.examination).length;
  return {
    /** Sets the state that the next poll returns, triggers that poll and waits for it. */
    async becomes(next: InspectionProgress) {
      await expect.poll(() => endPause).not.toBeNull();
      examination = next;
      const before = count();
      endPause!();
      endPause = null;
      await expect.poll(count).toBe(before + 1);
    },
  };
}
