import { type Kept, loadDraft, saveDraft } from './draft-storage.ts';

export type DraftOptions<T> = {
  /** Names the form, and what it is about: 'melody 12'. */
  of: string;
  /**
   * What the form begins with.
   * @param kept what the device has of it; null for nothing
   * @param former what older versions kept under each of `formerly`
   */
  begin(kept: Kept | null, former: readonly (Kept | null)[]): T;
  /** What of it is worth keeping; null for nothing. */
  keep(value: T): object | null;
  /** Names under which older versions kept parts of it; they go with the first change. */
  formerly?: readonly string[];
};

export type Draft<T> = ReturnType<typeof openDraft<T>>;

/**
 * What one person types into one form: on the device with each change, there again when the form is next opened.
 * It can be changed also when its form is gone, for an answer may come when the page has been left.
 */
export function openDraft<T>(userId: string, { of, begin, formerly = [] }: DraftOptions<T>) {
  const kept = loadDraft(userId, of);
  const former = formerly.map((name) => loadDraft(userId, name));
  const listeners = new Set<() => void>();
  let value = begin(kept, former);
  let isSafe = true;

  function save(packed: object | null) {
    isSafe = saveDraft(userId, of, packed);
    if (isSafe) for (const name of formerly) saveDraft(userId, name, null);
    for (const listener of [...listeners]) listener();
  }

  return {
    userId,
    of,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: () => value,
    /** False while something typed is in this page only. */
    isSafe: () => isSafe,
    change(next: T, keep: DraftOptions<T>['keep']) {
      value = next;
      save(keep(next));
    },
    /** Nothing of it is wanted any more on the device; what is on the screen stays. */
    forget: () => save(null),
  };
}
