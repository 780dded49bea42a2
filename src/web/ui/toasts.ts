import { useSyncExternalStore } from 'react';

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
let toasts = NONE;
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a toast; one that is still there gives way to it. */
export function toast(shown: Toast) {
  const id = ++lastId;
  publish([{ ...shown, id, isOpen: true }, ...toasts].slice(0, VISIBLE_AT_ONCE));
}

export function dismissToast(id: number) {
  publish(toasts.map((each) => (each.id === id ? { ...each, isOpen: false } : each)));
  setTimeout(() => publish(toasts.filter((each) => each.id !== id)), REMOVED_AFTER_MS);
}

/** The page is being left: what was said on it has nothing to do with the next. */
export function dismissToastsOfPage() {
  for (const { id, isOpen, outlivesPage } of toasts) if (isOpen && !outlivesPage) dismissToast(id);
}

/** As when the page is loaded anew. */
export const forgetToasts = () => publish(NONE);

export const useToasts = () =>
  useSyncExternalStore(
    subscribe,
    () => toasts,
    () => NONE,
  );

function publish(next: readonly ShownToast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
