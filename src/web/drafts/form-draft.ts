import { createStore, type ReadableStore } from '../store.ts';
import { loadDraft, saveDraft } from './draft-storage.ts';

export type FormDraftOptions<T> = {
  /** Names the form and its subject: 'melody 12'. */
  name: string;
  /**
   * Returns the initial value of the form.
   * @param kept the stored draft; null if there is none
   */
  restore(kept: object | null): T;
  /** Returns the part of the value to store; null if the draft is empty. */
  toStored(value: T): object | null;
};

export type FormDraft<T> = ReturnType<typeof openFormDraft<T>>;

/**
 * Opens the draft of a form. It is stored on the device at each change, and restored when the form is next
 * opened. It can be changed even after the form is unmounted, because a response may arrive after the user has
 * left the page.
 */
export function openFormDraft<T>(userId: string, { name, restore }: FormDraftOptions<T>) {
  const kept = loadDraft(userId, name);
  const state = createStore({ value: restore(kept), isSafe: true });

  function save(value: T, packed: object | null) {
    state.set({ value, isSafe: saveDraft(userId, name, packed) });
  }

  return {
    userId,
    of: name,
    /** `isSafe` is false while something typed exists only in this page. */
    state: state as ReadableStore<{ value: T; isSafe: boolean }>,
    get: () => state.get().value,
    isSafe: () => state.get().isSafe,
    change: (next: T, keep: FormDraftOptions<T>['toStored']) => save(next, keep(next)),
    /** Removes the draft from the device; the text on the screen stays. */
    forget: () => save(state.get().value, null),
  };
}
