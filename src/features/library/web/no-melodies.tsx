import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { AddMelodyLink } from './add-melody-link.tsx';
import type { Own } from './library-filter.tsx';
import type { SearchProgress } from './use-library-search.ts';

type NoMelodiesProps = NothingFoundProps & { own: Own | null };

/** Shown instead of the cards if there are none. */
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
      : 'No melodies have been added yet. They will be here as soon as there are some.'}
  </EmptyState>
);

const NothingOfOwn = ({ own }: { own: Own }) =>
  own === 'favourites' ? (
    <EmptyState title="No favourites yet">
      Press the heart of a melody, and it will be here on every device that you sign in on.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing sung yet">
      The melodies that you practise on this device will be here.
    </EmptyState>
  );

type NothingFoundProps = {
  query: string;
  progress: SearchProgress;
  isFiltered: boolean;
  onClear: () => void;
  onAllLevels: () => void;
};

/** Message that no melody contains the words, in the parts that could be searched. */
function NothingFound({ query, progress, isFiltered, onClear, onAllLevels }: NothingFoundProps) {
  if (progress.step === 'searching') return null;
  const where = progress.step === 'failed' ? 'title or description' : 'title, description or text';
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
      No melody {isFiltered ? 'of this transmission level' : 'here'} has “{query}” in its {where}.
    </EmptyState>
  );
}
