import { sentenceOf } from '#web/api/call.ts';
import { Announce } from '#web/ui/announce.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { SearchProgress } from './use-library-search.ts';

type SearchResultProps = { count: number; isSearched: boolean; progress: SearchProgress };

/** How many melodies are listed, and whether that is all a search may find. */
export function SearchResult({ count, isSearched, progress }: SearchResultProps) {
  const melodies = `${count.toLocaleString('en')} ${count === 1 ? 'melody' : 'melodies'}`;
  const text = isSearched ? `${melodies} found` : melodies;
  const isSearching = progress.step === 'searching';
  return (
    <>
      {isSearched && (count > 0 || isSearching) && (
        <p className="-mt-2 mb-4 text-sm text-soft">{isSearching ? 'Searching the texts...' : text}</p>
      )}
      {progress.step === 'failed' && (
        <Notice tone="amber" title="The texts could not be searched." className="mb-5 max-w-2xl">
          <p>
            {sentenceOf(progress.error, 'The server could not do it just now.')} Titles and descriptions were
            searched.
          </p>
          <Button className="mt-3 mb-1" busy={progress.isTrying} onClick={progress.tryAgain}>
            Try again
          </Button>
        </Notice>
      )}
      <Announce text={isSearching ? '' : text} />
    </>
  );
}
