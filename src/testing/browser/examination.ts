import { expect, vi } from 'vitest';
import { api } from '#app/api.ts';
import { type Examination, pauses } from '#web/uploads/while-examined.ts';
import { answer, callsOf } from './fake-api.ts';

/** A server whose examination of an upload is what the test says, and a page that asks for it when the test says so. */
export function examineAsTold() {
  let examination: Examination = null;
  answer(api.uploads.examination, () => ({ examination }));
  let endPause: (() => void) | null = null;
  vi.spyOn(pauses, 'isSeenAfter').mockImplementation(
    (_, signal) =>
      new Promise((resolve) => {
        endPause = () => resolve(true);
        signal.addEventListener('abort', () => resolve(false));
      }),
  );
  const count = () => callsOf(api.uploads.examination).length;
  return {
    /** What the page hears when it asks next. */
    async becomes(next: Examination) {
      await expect.poll(() => endPause).not.toBeNull();
      examination = next;
      const before = count();
      endPause!();
      endPause = null;
      await expect.poll(count).toBe(before + 1);
    },
  };
}
