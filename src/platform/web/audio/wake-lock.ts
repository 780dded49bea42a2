import type { RecorderEnvironment } from './recorder-environment.ts';
import type { Scope } from '../scope.ts';

export type AwakeEnvironment = Pick<RecorderEnvironment, 'wakeLock' | 'document'>;

/**
 * Keeps the screen from locking until the scope ends. The browser lets go of the lock whenever the page is
 * hidden, so it is asked for again each time. Where there is none, or it is refused (low battery), nothing happens.
 */
export function keepAwake({ wakeLock, document }: AwakeEnvironment, scope: Scope): void {
  async function ask(): Promise<void> {
    if (!wakeLock || document.visibilityState !== 'visible') return;
    try {
      const lock = await wakeLock.request('screen');
      scope.own(() => void lock.release().catch(() => undefined));
    } catch {
      // It goes on without.
    }
  }

  scope.listen(document, 'visibilitychange', () => void ask());
  void ask();
}
