import { useSyncExternalStore } from 'react';

/** Calls that wait until the user has confirmed who they are. */
export type ProofRequest = { settle: (isProved: boolean) => void };

let current: (ProofRequest & { answer: Promise<boolean> }) | null = null;
const listeners = new Set<() => void>();

const set = (next: typeof current) => {
  current = next;
  for (const listener of listeners) listener();
};

/**
 * Asks the user to confirm who they are; several calls at once share one dialog.
 * @returns whether they did; false at once where no page can ask, as in the service worker
 */
export function askForProof(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  if (current) return current.answer;
  let settle!: ProofRequest['settle'];
  const answer = new Promise<boolean>((resolve) => {
    settle = (isProved) => {
      set(null);
      resolve(isProved);
    };
  });
  set({ answer, settle });
  return answer;
}

/** The request that the page's dialog has to settle; null if nothing waits. */
export const useProofRequest = (): ProofRequest | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => null,
  );
