import { clsx } from 'clsx';
import { AudioLines } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { lazyPart, usePart } from '#web/navigation/lazy-page.ts';
import { apiQuery, queryClient } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { isListPlayed } from '#features/melodies/favourites/web/list-address.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { playedMelodyIn } from '#features/melodies/played-melody.ts';
import { addressWith, type PlayerStart, startIn } from './player-address.ts';
import { PlayerAwaited } from './player-awaited.tsx';

/** Loaded when it is first opened, or when a pointer or focus reaches its button. */
const PlayerOverlay = lazyPart(() => import('./player-overlay.tsx'));

const OPENED_HERE = { player: 'opened here' };

/**
 * The player over the library, open while the address names a melody. So going back closes it, and it can be linked to.
 */
export function PlayerPlace({ melodies = [] }: { melodies: readonly MelodySummary[] | undefined }) {
  const { melodyId, start, isList, close } = usePlayerAddress();
  if (melodyId === null) return null;
  const melody = melodies.find(({ id }) => id === melodyId);
  // The list reuses its audio element, because a phone starts the next melody automatically only in an element that a
  // press has started before.
  return <Player key={isList ? 'list' : melodyId} {...{ melodyId, melody, start }} onClose={close} />;
}

type PlayerProps = {
  melodyId: number;
  melody: MelodySummary | undefined;
  start: PlayerStart;
  onClose: () => void;
};

function Player(props: PlayerProps) {
  const { melodyId } = props;
  // Loads in parallel with the player's code.
  useEffect(
    () => void queryClient.prefetchQuery(apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } })),
    [melodyId],
  );
  const { Part, ...loading } = usePart(PlayerOverlay);
  return Part ? <Part {...props} /> : <PlayerAwaited {...props} {...{ loading }} />;
}

/**
 * A button that opens the player. Does not subscribe to the address, because two thousand buttons would re-render
 * whenever it changes.
 */
export function AdvancedPlayerButton({ melody: { id, title } }: { melody: MelodySummary }) {
  return (
    <Button variant="secondary" icon={<AudioLines />} aria-label={`Advanced Player: ${title}`} {...opens(id)}>
      Advanced Player
    </Button>
  );
}

/** The melody's title in the library, which also opens the player. */
export function PlayerOpener({ melody: { id }, className, children }: PlayerOpenerProps) {
  return (
    <button type="button" {...opens(id)} className={clsx('text-start', className)}>
      {children}
    </button>
  );
}

type PlayerOpenerProps = { melody: MelodySummary; className: string; children: ReactNode };

const preload = () => void PlayerOverlay.preload();

/** Returns the props of a button that opens a melody's player. */
const opens = (id: number) =>
  ({
    'aria-haspopup': 'dialog',
    'data-player-of': id,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () =>
      navigate(`${location.pathname}?${addressWith(new URLSearchParams(location.search), String(id))}`, {
        state: OPENED_HERE,
      }),
  }) as const;

function usePlayerAddress() {
  const [search, setSearch] = useSearchParams();
  const close = () => {
    const { player } = (history.state ?? {}) as Partial<typeof OPENED_HERE>;
    // If it was opened here, the previous history entry is the library; after a link, it may be anything.
    if (player === OPENED_HERE.player) history.back();
    else setSearch((before) => addressWith(before, null), { replace: true });
  };
  return {
    start: startIn(search),
    isList: isListPlayed(String(search)),
    melodyId: playedMelodyIn(search),
    close,
  };
}
