import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Download } from 'lucide-react';
import {
  startTransition,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { useSearchParams } from 'wouter';
import { PageLoading } from '#web/layout/loading.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { OfflineNotice } from '#web/offline/offline-notice.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Skeleton, SkeletonList } from '#web/ui/skeleton.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import {
  OnlineOnlyLevelsContext,
  getOnlineOnlyLevelIds,
} from '#features/offline/saved-melodies/web/online-only-levels.ts';
import { LazyPackBar } from '#features/offline/saved-melodies/web/lazy-pack.tsx';
import { ExportOutcome } from '#web/device/export-outcome.tsx';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import type { ListedMelody, MelodySummary } from '#features/melodies/contract.ts';
import { sortAudioFirst } from '#features/melodies/audio-first.ts';
import { LIBRARY_TITLE } from '#features/melodies/limits.ts';
import { MELODY_GRID_CLASSES } from './card-group.tsx';
import { LibraryFilter, OWN_LISTS, type OwnList, LibraryViewSwitch } from './library-filter.tsx';
import { LazyRemovedCardNotice } from './library-outcome.ts';
import { libraryQuery, useLibraryWithTexts } from '#features/melodies/web/library-query.ts';
import { MelodyGrid } from './melody-grid.tsx';
import { AddMelodyLink } from './add-melody-link.tsx';
import type { LibraryAction } from './library-action-dialog.tsx';
import { PlayerHost } from '#features/practice/web/player-host.tsx';
import { useLibrarySearch, type LibrarySearchProgress } from './use-library-search.ts';
import type { Level } from '#features/people/levels/contract.ts';
import { getErrorMessage, callApi } from '#web/api/call.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { formatQuantity, useExport } from '#web/device/use-export.ts';
import type { LibraryOutcome } from './outcome-notices.tsx';
import { listLastPractisedMelodies } from '#features/practice/web/engine/practice-settings.ts';
import { favouritesQuery } from '#features/melodies/favourites/web/use-chosen-melodies.ts';

const MAX_SEARCH_LENGTH = 200;

const NoMelodies = createLazyComponent(() => import('./no-melodies.tsx'));
const LibraryTable = createLazyComponent(() => import('./table/library-table.tsx'));
const LibraryActionDialog = createLazyComponent(() => import('./library-action-dialog.tsx'));

export default function MelodiesPage() {
  const melodies = useQuery(libraryQuery);
  const texts = useLibraryWithTexts(melodies.data);
  const levels = useQuery(createApiQuery('GET /api/user/transmission-levels'));
  const [action, setAction] = useState<LibraryAction | null>(null);
  const openDialog = useCallback(
    (to: LibraryAction['kind'], melody: ListedMelody) => setAction({ kind: to, melody }),
    [],
  );
  const isAdmin = useUser().role === 'admin';
  const { level, setLevel, own, setOwn, query, setQuery, view, setView } = useLibraryUrlState(
    levels.data ?? [],
  );
  const isTable = isAdmin && view === 'table';
  // The field responds to each key immediately, and the cards follow at a lower priority. Not
  // `useDeferredValue`, because React would update it only after all rendering steps of a growing list.
  const [searched, setSearched] = useState(query);
  useEffect(() => startTransition(() => setSearched(query)), [query]);
  const search = useLibrarySearch(melodies.data ?? NONE, texts, query, searched);
  const chosen = useOwnList(own);
  const found = useMemo(() => {
    if (chosen) return pickInOrder(chosen, search.found);
    const shown = filterByLevel(search.found, level);
    return isTable ? shown : sortAudioFirst(shown);
  }, [search.found, level, chosen, isTable]);
  const isFiltered = level !== null || own !== null;
  const neverKept = useMemo(() => getOnlineOnlyLevelIds(levels.data ?? []), [levels.data]);
  const isSearched = searched.trim() !== '';
  const listed = `${own ?? level} ${isTable} ${searched}`;
  const { inList, missing, setOutcome } = useOutcome(found, listed);
  const library = useLibraryExport();
  const failed = [melodies, levels].find(({ isError, data }) => isError && !data);
  return (
    <>
      <PageHeading
        title={LIBRARY_TITLE}
        aside={
          <div className="flex grow flex-wrap items-center justify-end gap-x-3 gap-y-2 max-sm:justify-between">
            {!failed && melodies.data?.length !== 0 && (
              <SearchField
                label="Search melodies"
                placeholder="Search titles and words"
                maxLength={MAX_SEARCH_LENGTH}
                value={query}
                onChange={setQuery}
                className={clsx(
                  'min-w-0 grow max-sm:w-full [&>label]:sr-only',
                  isAdmin ? 'sm:basis-64' : 'lg:max-w-md',
                )}
              />
            )}
            {isAdmin && (
              <>
                <AddMelodyLink>Add New Melody</AddMelodyLink>
                <LibraryViewSwitch isTable={isTable} onView={setView} />
              </>
            )}
          </div>
        }
      />
      <ExportOutcome exportState={library} className="mb-5 max-w-2xl" />
      {failed ? (
        <LoadFailure sentence="Couldn’t load the melodies." of={[melodies, levels]} />
      ) : melodies.data && levels.data ? (
        <>
          <OfflineNotice>These are your saved melodies.</OfflineNotice>
          <div
            className={clsx(
              'mb-4 items-start justify-between gap-x-6 max-sm:-mt-2 max-sm:mb-1 sm:flex',
              isAdmin && 'max-sm:flex max-sm:flex-wrap max-sm:gap-x-1',
            )}
          >
            <LibraryFilter levels={levels.data} level={level} onLevel={setLevel} own={own} onOwn={setOwn} />
            <div className="flex items-center max-sm:contents sm:shrink-0">
              <div className="grow max-sm:order-last max-sm:basis-full">
                {!isTable && <LazyPackBar melodies={melodies.data} levels={levels.data} />}
              </div>
              {isAdmin && (
                <IconButton
                  label="Download the library"
                  icon={<Download />}
                  busy={library.isBeginning}
                  onClick={library.begin}
                />
              )}
            </div>
          </div>
          <SearchResult count={found.length} isSearched={isSearched} progress={search.progress} />
          {missing && (
            <LazyBoundary part={LazyRemovedCardNotice} outcome={missing} className="mb-5 max-w-2xl" />
          )}
          {found.length > 0 && isTable ? (
            <LazyBoundary
              part={LibraryTable}
              fallback={<Skeleton className="h-96 w-full rounded-lg" />}
              melodies={found}
              library={melodies.data}
              levels={levels.data}
              outcome={inList}
              onAction={openDialog}
              listed={listed}
            />
          ) : found.length > 0 ? (
            <OnlineOnlyLevelsContext value={neverKept}>
              <MelodyGrid melodies={found} listed={listed} outcome={inList} onAction={openDialog} />
            </OnlineOnlyLevelsContext>
          ) : (
            <LazyBoundary
              part={NoMelodies}
              query={searched.trim()}
              progress={search.progress}
              onClear={() => setQuery('')}
              onAllLevels={() => setLevel(null)}
              {...{ isFiltered, own }}
            />
          )}
        </>
      ) : (
        <>
          <Skeleton className="mb-4 h-11 w-full max-w-md rounded-full max-sm:mb-13" />
          <SkeletonList
            count={6}
            className={clsx(MELODY_GRID_CLASSES, 'max-sm:-mx-4')}
            itemClassName="h-84 max-sm:h-21.5 max-sm:rounded-none max-sm:border-b max-sm:border-ground"
          />
        </>
      )}
      {/* Rendered outside the cards, because a dialog may stay open after its card has disappeared. */}
      {action && (
        <Suspense fallback={<PageLoading />}>
          <LibraryActionDialog action={action} onClose={() => setAction(null)} onOutcome={setOutcome} />
        </Suspense>
      )}
      <PlayerHost melodies={texts ?? melodies.data} />
    </>
  );
}

const NONE: readonly ListedMelody[] = [];

const filterByLevel = (melodies: readonly ListedMelody[], level: number | null) =>
  level === null ? melodies : melodies.filter(({ transmissionLevelId }) => transmissionLevelId === level);

const pickInOrder = (ids: readonly number[], melodies: readonly ListedMelody[]) =>
  ids.flatMap((id) => melodies.find((melody) => melody.id === id) ?? []);

/** Debounce delay for URL changes, whose rate browsers limit. */
const URL_DEBOUNCE_MS = 300;

/** Stores filters, search and view in the URL, so that going back restores them and a link can be shared. */
function useLibraryUrlState(levels: readonly Level[]) {
  const [params, setParams] = useSearchParams();
  const level = levels.find(({ id }) => String(id) === params.get('level'))?.id ?? null;
  const written = params.get('q') ?? '';
  const [typed, setTyped] = useState(written);
  const [lastWritten, setLastWritten] = useState(written);
  // Shows the URL's search in the field after the user goes back or follows a link.
  if (written !== lastWritten) {
    setLastWritten(written);
    setTyped(written);
  }

  useEffect(() => {
    if (typed === written) return;
    const timer = setTimeout(
      () => setParams((before) => withParam(before, 'q', typed), { replace: true }),
      URL_DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, written, setParams]);

  const filter = (name: 'level' | 'own', value: string) =>
    setParams((before) => {
      const all = withParam(withParam(withParam(before, 'q', typed), 'level', ''), 'own', '');
      return withParam(all, name, value);
    });
  const setLevel = (id: number | null) => filter('level', id === null ? '' : String(id));
  const own = OWN_LISTS.find((each) => each === params.get('own')) ?? null;
  const setView = (to: string) => setParams((before) => withParam(before, 'view', to));
  return {
    ...{ level, setLevel, own, setOwn: (to: OwnList) => filter('own', to) },
    ...{ query: typed, setQuery: setTyped, view: params.get('view'), setView },
  };
}

function withParam(before: URLSearchParams, name: string, value: string) {
  const params = new URLSearchParams(before);
  if (value === '') params.delete(name);
  else params.set(name, value);
  return params;
}

type SearchResultProps = { count: number; isSearched: boolean; progress: LibrarySearchProgress };

/** Shows the number of melodies, and a notice if the texts could not be searched. */
function SearchResult({ count, isSearched, progress }: SearchResultProps) {
  const melodies = `${count.toLocaleString('en')} ${count === 1 ? 'melody' : 'melodies'}`;
  const text = isSearched ? `${melodies} found` : melodies;
  const isSearching = progress.step === 'searching';
  return (
    <>
      {isSearched && (count > 0 || isSearching) && (
        <p className="-mt-2 mb-4 text-sm text-soft">{isSearching ? 'Searching the words...' : text}</p>
      )}
      {progress.step === 'failed' && (
        <Notice tone="amber" title="Couldn’t search the words of the melodies." className="mb-5 max-w-2xl">
          <p>
            {getErrorMessage(progress.error, 'The server is busy right now.')} Only titles and descriptions
            were searched.
          </p>
          <Button className="mt-3 mb-1" busy={progress.isRetrying} onClick={progress.tryAgain}>
            Try again
          </Button>
        </Notice>
      )}
      <ScreenReaderAnnouncement text={isSearching ? '' : text} />
    </>
  );
}

/** Returns the controls with which a teacher exports the library. */
const useLibraryExport = () =>
  useExport('/api/admin/library/export', async () => {
    const { melodies, bytes } = await callApi('GET /api/admin/library/export/size');
    return { contents: melodies === 0 ? null : formatQuantity(melodies, 'melody', 'melodies'), bytes };
  });

/**
 * Returns the outcome of the teacher's last change, with a setter. `inList` is shown in the melody's card or in
 * its place, `missing` above a list that no longer contains the melody. Another list shows the outcome only if
 * it contains the melody.
 */
function useOutcome(found: readonly MelodySummary[], listed: string) {
  const [last, setLast] = useState<{ outcome: LibraryOutcome; listed: string } | null>(null);
  const setOutcome = (outcome: LibraryOutcome) => setLast({ outcome, listed });
  if (!last) return { inList: null, missing: null, setOutcome };
  const { outcome } = last;
  const isThisList = last.listed === listed;
  const isInList =
    outcome.kind === 'deleted'
      ? isThisList && found.length > 0
      : found.some(({ id }) => id === outcome.melody.id);
  return {
    inList: isInList ? outcome : null,
    missing: isThisList && !isInList ? outcome : null,
    setOutcome,
  };
}

/** Returns the ids of the melodies in the user's own list, in order; null for the whole library. */
function useOwnList(own: OwnList | null): readonly number[] | null {
  const favourites = useQuery({ ...favouritesQuery, enabled: own === 'favourites' }).data;
  // A string, so that React treats equal lists as identical. The server has no device data and renders an empty
  // list.
  const recent = useSyncExternalStore(subscribeToNothing, getRecentIds, () => '');
  return useMemo(() => {
    if (own === null) return null;
    if (own === 'favourites') return (favourites ?? []).map(({ melodyId }) => melodyId);
    return recent === '' ? [] : recent.split(',').map(Number);
  }, [own, favourites, recent]);
}

const subscribeToNothing = () => () => {};

const getRecentIds = () =>
  listLastPractisedMelodies()
    .map(({ melodyId }) => melodyId)
    .join();
