import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

export type Toast = {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /**
   * Whether the toast stays when the user goes to another page. Otherwise it closes with the page that showed
   * it.
   */
  outlivesPage?: boolean;
};
export type ShownToast = Toast & { id: number; isOpen: boolean };

const MAX_VISIBLE_TOASTS = 1;
/** Time for which a dismissed toast stays in the list; more than enough for its exit animation. */
const REMOVE_DELAY_MS = 1_000_000;

const NO_TOASTS: readonly ShownToast[] = [];
const toasts = createStore(NO_TOASTS);
let lastId = 0;

/** Shows a toast, which replaces the current one. */
export function toast(shown: Toast) {
  const id = ++lastId;
  toasts.set([{ ...shown, id, isOpen: true }, ...toasts.get()].slice(0, MAX_VISIBLE_TOASTS));
}

export function dismissToast(id: number) {
  toasts.set(toasts.get().map((each) => (each.id === id ? { ...each, isOpen: false } : each)));
  setTimeout(() => toasts.set(toasts.get().filter((each) => each.id !== id)), REMOVE_DELAY_MS);
}

/** Closes the toasts of the page that the user leaves, except those with `outlivesPage`. */
export function dismissToastsOfPage() {
  for (const { id, isOpen, outlivesPage } of toasts.get()) if (isOpen && !outlivesPage) dismissToast(id);
}

/** Resets the list, as a full page load would. */
export const resetToasts = () => toasts.set(NO_TOASTS);

export const useToasts = () => useStore(toasts);
