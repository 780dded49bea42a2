import { clsx } from 'clsx';
import { AudioLines } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { createLazyComponent, useLazyComponent } from '#web/navigation/lazy-component.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { isPlayingTodaysList } from '#features/melodies/favourites/web/list-url.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { getPlayedMelodyId } from '#features/melodies/played-melody.ts';
import { buildPlayerSearchParams, type PlayerStart, parsePlayerStart } from './player-url.ts';
import { PlayerPlaceholder } from './player-placeholder.tsx';

/** Loaded when the player is first opened, or when the pointer or focus reaches a button that opens it. */
const PlayerOverlay = createLazyComponent(() => import('./player-overlay.tsx'));

const OPENED_HERE_STATE = { player: 'opened here' };

/**
 * The player over the library. It is open while the URL contains a melody's id, so that a link can open it
 * and going back closes it.
 */
export function PlayerHost({ melodies = [] }: { melodies: readonly MelodySummary[] | undefined }) {
  const { melodyId, start, isList, close } = usePlayerUrl();
  if (melodyId === null) return null;
  const melody = melodies.find(({ id }) => id === melodyId);
  // Keeps one audio element for all melodies of today's list, because without a press, phones start playback
  // only on an element that a press has started before.
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
  // Fetches the melody's details in parallel with the player's code.
  useEffect(
    () =>
      void queryClient.prefetchQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } })),
    [melodyId],
  );
  const { Part, ...loading } = useLazyComponent(PlayerOverlay);
  return Part ? <Part {...props} /> : <PlayerPlaceholder {...props} {...{ loading }} />;
}

/**
 * A button that opens the player. Does not subscribe to the URL: in a library of two thousand melodies, every
 * button would re-render whenever the URL changes.
 */
export function AdvancedPlayerButton({ melody: { id, title } }: { melody: MelodySummary }) {
  return (
    <Button
      variant="secondary"
      icon={<AudioLines />}
      aria-label={`Advanced Player: ${title}`}
      {...getOpenerProps(id)}
    >
      Advanced Player
    </Button>
  );
}

/** The melody's title in the library, which also opens the player. */
export function OpenPlayerButton({ melody: { id }, className, children }: PlayerOpenerProps) {
  return (
    <button type="button" {...getOpenerProps(id)} className={clsx('text-start', className)}>
      {children}
    </button>
  );
}

type PlayerOpenerProps = { melody: MelodySummary; className: string; children: ReactNode };

const preload = () => void PlayerOverlay.preload();

/** Returns the props of a button that opens a melody's player. */
const getOpenerProps = (id: number) =>
  ({
    'aria-haspopup': 'dialog',
    'data-player-of': id,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: () =>
      navigate(
        `${location.pathname}?${buildPlayerSearchParams(new URLSearchParams(location.search), String(id))}`,
        {
          state: OPENED_HERE_STATE,
        },
      ),
  }) as const;

function usePlayerUrl() {
  const [search, setSearch] = useSearchParams();
  const close = () => {
    const { player } = (history.state ?? {}) as Partial<typeof OPENED_HERE_STATE>;
    // Goes back only if a button opened the player, because the previous history entry is then the library. If
    // a link opened it, the previous entry may be anything.
    if (player === OPENED_HERE_STATE.player) history.back();
    else setSearch((before) => buildPlayerSearchParams(before, null), { replace: true });
  };
  return {
    start: parsePlayerStart(search),
    isList: isPlayingTodaysList(String(search)),
    melodyId: getPlayedMelodyId(search),
    close,
  };
}
