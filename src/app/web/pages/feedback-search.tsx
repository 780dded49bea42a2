import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { TextField } from '#web/ui/field.tsx';

/** Debounce delay, so that not every keystroke starts a search. */
const SEARCH_DEBOUNCE_MS = 300;

/**
 * Returns the search words and the text in the search field, with functions to change the text. The words are
 * in the URL, so that going back and reloading restore them.
 */
export function useFeedbackSearch() {
  const [address, setAddress] = useSearchParams();
  const words = address.get('q')?.trim() ?? '';
  const [typed, setTyped] = useState(words);
  const [lastWords, setLastWords] = useState(words);
  // Updates the search field if the words in the URL were changed by going back or forward, not by typing.
  if (words !== lastWords) {
    setLastWords(words);
    if (words !== typed.trim()) setTyped(words);
  }

  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === words) return;
    const timer = setTimeout(
      () => setAddress(wanted === '' ? {} : { q: wanted }, { replace: true }),
      SEARCH_DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, words, setAddress]);

  return { words, typed, type: setTyped, clear: () => setTyped('') };
}

export const FeedbackSearchField = ({ search }: { search: ReturnType<typeof useFeedbackSearch> }) => (
  <search className="w-full sm:w-80">
    <TextField
      label="Search by student or melody"
      type="search"
      maxLength={200}
      autoComplete="off"
      value={search.typed}
      onChange={(event) => search.type(event.target.value)}
    />
  </search>
);
