import type { RecorderEnvironment } from './recorder-environment.ts';
import type { ResourceScope } from '../api/resource-scope.ts';

export type WakeLockEnvironment = Pick<RecorderEnvironment, 'wakeLock' | 'document'>;

/**
 * Keeps the screen on until the scope ends. The browser releases the lock when the page is hidden, so it is
 * requested again when the page is visible. If wake locks are unsupported or denied (low battery), nothing
 * happens.
 */
export function acquireWakeLock({ wakeLock, document }: WakeLockEnvironment, scope: ResourceScope): void {
  async function ask(): Promise<void> {
    if (!wakeLock || document.visibilityState !== 'visible') return;
    try {
      const lock = await wakeLock.request('screen');
      scope.own(() => void lock.release().catch(() => undefined));
    } catch {
      // Recording continues without the lock.
    }
  }

  scope.listen(document, 'visibilitychange', () => void ask());
  void ask();
}
