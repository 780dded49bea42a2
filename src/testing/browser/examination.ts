import { vi } from 'vitest';
import { api } from '../../api.ts';
import type { Examination } from '../../platform/web/uploads/while-examined.ts';
import { answer, callsOf } from './fake-api.ts';

/** A server whose examination of an upload is what the test says; from here on time goes only where it is told to. */
export function examineAsTold() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let examination: Examination = null;
  answer(api.uploads.examination, () => ({ examination }));
  return {
    /** What the page hears when it asks next. */
    async becomes(next: Examination) {
      examination = next;
      const count = () => callsOf(api.uploads.examination).length;
      const before = count();
      for (let seconds = 0; seconds < 60 && count() === before; seconds += 1)
        await vi.advanceTimersByTimeAsync(1_000);
    },
    /** Time goes by itself again. */
    end: () => void vi.useRealTimers(),
  };
}
