import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';

/** Calls that wait until the user has confirmed who they are. */
export type ProofRequest = { settle: (isProved: boolean) => void };

const current = createStore<(ProofRequest & { answer: Promise<boolean> }) | null>(null);

/**
 * Asks the user to confirm who they are; several calls at once share one dialog.
 * @returns whether they did; false at once where no page can ask, as in the service worker
 */
export function askForProof(): Promise<boolean> {
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

/** The request that the page's dialog has to settle; null if nothing waits. */
export const useProofRequest = (): ProofRequest | null => useStore(current);
