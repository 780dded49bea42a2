import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

/** A request to confirm the user's identity, shared by all calls that wait for it. */
export type IdentityProofRequest = { settle: (isProved: boolean) => void };

const current = createStore<(IdentityProofRequest & { answer: Promise<boolean> }) | null>(null);

/**
 * Asks the user to confirm their identity. Concurrent calls share one dialog.
 * @returns whether they confirmed it; false immediately if no page can show the dialog, for example in the
 *   service worker
 */
export function requestIdentityProof(): Promise<boolean> {
  if (!current.isWatched()) return Promise.resolve(false);
  const waiting = current.get();
  if (waiting) return waiting.answer;
  let settle!: IdentityProofRequest['settle'];
  const answer = new Promise<boolean>((resolve) => {
    settle = (isProved) => {
      current.set(null);
      resolve(isProved);
    };
  });
  current.set({ answer, settle });
  return answer;
}

/** Returns the request that the page's dialog must settle; null if no call is waiting. */
export const useIdentityProofRequest = (): IdentityProofRequest | null => useStore(current);
