import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

export type Toast = {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** It tells of something that goes on whatever page is open; else it goes with the page that it was raised on. */
  outlivesPage?: boolean;
};
export type ShownToast = Toast & { id: number; isOpen: boolean };

const VISIBLE_AT_ONCE = 1;
/** A dismissed toast stays known this long, so that its leaving can be shown at leisure. */
const REMOVED_AFTER_MS = 1_000_000;

const NONE: readonly ShownToast[] = [];
const toasts = createStore(NONE);
let lastId = 0;

/** Shows a toast; one that is still there gives way to it. */
export function toast(shown: Toast) {
  const id = ++lastId;
  toasts.set([{ ...shown, id, isOpen: true }, ...toasts.get()].slice(0, VISIBLE_AT_ONCE));
}

export function dismissToast(id: number) {
  toasts.set(toasts.get().map((each) => (each.id === id ? { ...each, isOpen: false } : each)));
  setTimeout(() => toasts.set(toasts.get().filter((each) => each.id !== id)), REMOVED_AFTER_MS);
}

/** The page is being left: what was said on it has nothing to do with the next. */
export function dismissToastsOfPage() {
  for (const { id, isOpen, outlivesPage } of toasts.get()) if (isOpen && !outlivesPage) dismissToast(id);
}

/** As when the page is loaded anew. */
export const forgetToasts = () => toasts.set(NONE);

export const useToasts = () => useStore(toasts);
