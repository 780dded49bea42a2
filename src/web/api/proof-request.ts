import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

/** Calls that wait until the user has confirmed their identity. */
export type ProofRequest = { settle: (isProved: boolean) => void };

const current = createStore<(ProofRequest & { answer: Promise<boolean> }) | null>(null);

/**
 * Asks the user to confirm their identity; concurrent calls share one dialog.
 * @returns whether they did; false at once if there is no page to ask on, as in the service worker
 */
export function requestProof(): Promise<boolean> {
  if (!current.isWatched()) return Promise.resolve(false);
  const waiting = current.get();
  if (waiting) return waiting.answer;
  let settle!: ProofRequest['settle'];
  const answer = new Promise<boolean>((resolve) => {
    settle = (isProved) => {
      current.set(null);
      resolve(isProved);
    };
  });
  current.set({ answer, settle });
  return answer;
}

/** Returns the request that the page's dialog must settle; null if nothing is waiting. */
export const useProofRequest = (): ProofRequest | null => useStore(current);
