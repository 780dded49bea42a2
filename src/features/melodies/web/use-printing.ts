import { useCallback, useState } from 'react';
import { NO_CONNECTION, noteFault, sentenceOf } from '../../../platform/web/call.ts';
import { lazyPart } from '../../../platform/web/lazy-page.ts';
import { toast } from '../../../platform/web/toasts.ts';
import type { ListedMelody } from '../contract.ts';

export const PrintWords = lazyPart(() => import('./print-words.tsx'));

/** The melody whose words are being printed; the code for that is fetched with the first. */
export function usePrinting() {
  const [printed, setPrinted] = useState<ListedMelody | null>(null);
  const onFailure = useCallback((error: unknown) => {
    noteFault(error);
    const description = sentenceOf(error, NO_CONNECTION);
    toast({ title: 'The words could not be printed', description, variant: 'destructive' });
    setPrinted(null);
  }, []);
  const print = useCallback(
    (melody: ListedMelody) => void PrintWords.fetched().then(() => setPrinted(melody), onFailure),
    [onFailure],
  );
  const onDone = useCallback(() => setPrinted(null), []);
  return { print, printed, onDone, onFailure };
}
