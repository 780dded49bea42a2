import { type Kept, loadDraft, saveDraft } from './draft-storage.ts';

export type DraftOptions<T> = {
  /** Names the form, and what it is about: 'melody 12'. */
  of: string;
  /**
   * The initial value of the form.
   * @param kept the stored draft; null when there is none
   * @param former what older versions stored under each of `formerly`
   */
  begin(kept: Kept | null, former: readonly (Kept | null)[]): T;
  /** What to store of the value; null for nothing. */
  keep(value: T): object | null;
  /** Names under which older versions stored parts of the draft; removed at the first change. */
  formerly?: readonly string[];
};

export type Draft<T> = ReturnType<typeof openDraft<T>>;

/**
 * What a user types into a form: stored on the device at each change, and restored when the form is next opened.
 * It can be changed after its form has gone, as an answer may arrive when the page has been left.
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
    /** False while something typed exists in this page only. */
    isSafe: () => isSafe,
    change(next: T, keep: DraftOptions<T>['keep']) {
      value = next;
      save(keep(next));
    },
    /** Removes the draft from the device; what is on the screen stays. */
    forget: () => save(null),
  };
}
