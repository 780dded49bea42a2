import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddMelodyLink } from './add-melody-link.tsx';
import type { OwnList } from './library-filter.tsx';
import type { LibrarySearchProgress } from './use-library-search.ts';

type NoMelodiesProps = NothingFoundProps & { own: OwnList | null };

/** Message that replaces the cards if there are none. */
export default function NoMelodies({ own, ...rest }: NoMelodiesProps) {
  if (rest.query !== '') return <NothingFound {...rest} />;
  return own ? <NothingOfOwn own={own} /> : <Empty isFiltered={rest.isFiltered} />;
}

const Empty = ({ isFiltered }: { isFiltered: boolean }) => (
  <EmptyState
    title="No Melodies Yet"
    action={<AddMelodyLink>{isFiltered ? 'Add New Melody' : 'Add First Melody'}</AddMelodyLink>}
  >
    {isFiltered
      ? 'There are no melodies for this transmission level yet.'
      : 'Melodies appear here as soon as they are added.'}
  </EmptyState>
);

const NothingOfOwn = ({ own }: { own: OwnList }) =>
  own === 'favourites' ? (
    <EmptyState title="No favourites yet">
      Tap the heart on a melody to find it here on all your devices.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing practised yet">
      Melodies that you practise on this device appear here.
    </EmptyState>
  );

type NothingFoundProps = {
  query: string;
  progress: LibrarySearchProgress;
  isFiltered: boolean;
  onClear: () => void;
  onAllLevels: () => void;
};

/**
 * Message that nothing matches the search. If the texts could not be searched, it mentions only titles and
 * descriptions.
 */
function NothingFound({ query, progress, isFiltered, onClear, onAllLevels }: NothingFoundProps) {
  if (progress.step === 'searching') return null;
  return (
    <EmptyState
      title="Nothing found"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button onClick={onClear}>Clear the search</Button>
          {isFiltered && <Button onClick={onAllLevels}>Search all melodies</Button>}
        </div>
      }
    >
      {progress.step === 'failed' ? 'No title or description matches' : 'Nothing matches'} “{query}”
      {isFiltered && ' in this list'}.
    </EmptyState>
  );
}
