import { clsx } from 'clsx';
import { ChevronDown, Pencil, Trash2 } from 'lucide-react';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { ChosenButtons } from '#features/melodies/favourites/web/chosen-buttons.tsx';
import { LevelBadge, toneOfLevel } from '#features/people/levels/web/level-badge.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { PlayButton } from '#web/audio-ui/playback/play-button.tsx';
import { imageFileUrl } from '#web/audio-ui/playback/media-url.ts';
import { AUDIO_NOT_AVAILABLE, NO_AUDIO, usePlayedSeconds } from '#web/audio-ui/playback/use-playback.ts';
import { PackSlot } from '#features/offline/saved-melodies/web/pack-place.tsx';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { Card } from '#web/ui/card.tsx';
import { DefaultThumbnail } from '#web/ui/default-thumbnail.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { duration, spokenDuration } from '#web/ui/duration.ts';
import { UpdatedHere } from './library-outcome.ts';
import { useGroupIsNear } from './card-group.tsx';
import { AdvancedPlayerButton, PlayerOpener } from '#features/practice/web/player-place.tsx';
import type { TeachersWish } from './teacher-dialogs.tsx';
import { hasTibetan } from '#features/lyrics/script.ts';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import { useNear } from './use-near.ts';
import type { CardPlayer } from './use-library-player.ts';
import { VideoLink } from '#features/melodies/web/video-link.tsx';

type MelodyCardProps = {
  melody: ListedMelody;
  player: CardPlayer;
  /** Outcome of an edit that was just saved. */
  outcome: { isApproximate: boolean } | null;
  onPlay: (melody: ListedMelody) => void;
  /** Null for users who may only listen. */
  onWish: ((to: TeachersWish['to'], melody: ListedMelody) => void) | null;
  isFirst: boolean;
  /** Null for users without favourites. */
  isFavourite: boolean | null;
  isToday: boolean;
};

/**
 * A melody as a card, or on phones as a row: picture, title, level, length and play, with the rest folded. Both share
 * one set of elements, because there may be two thousand. Memoized for the same reason.
 */
export const MelodyCard = memo(function MelodyCard(props: MelodyCardProps) {
  const { melody, player, outcome, onPlay, onWish, isFirst, isFavourite, isToday } = props;
  const { title, excerpt, transmissionLevel, vimeoUrl, audioUrl } = melody;
  const [isOpen, setIsOpen] = useState(false);
  const play = useRef<HTMLButtonElement>(null);
  const folded = clsx('max-sm:relative max-sm:col-span-3', !isOpen && 'max-sm:hidden');
  return (
    <Card role="listitem" isBare className={clsx('flex flex-col', onPhone.row)}>
      <div className={clsx('relative aspect-video', onPhone.picture)}>
        <Thumbnail melody={melody} isFirst={isFirst} />
        {player.audio && <PlayedLine audio={player.audio} seconds={melody.duration ?? 0} />}
      </div>
      <div className={clsx('relative', onPhone.play)}>
        <PlayButton
          ref={play}
          state={audioUrl === null ? 'failed' : player.state}
          title={title}
          onPress={() => onPlay(melody)}
          className="shadow-soft max-sm:border max-sm:border-line max-sm:bg-ground max-sm:text-action max-sm:shadow-none sm:absolute sm:end-3 sm:bottom-3"
        />
      </div>
      <div className="flex grow flex-col p-5 max-sm:contents">
        <div className={clsx('flex flex-wrap items-center justify-between gap-x-3 gap-y-1', onPhone.facts)}>
          <LevelBadge level={transmissionLevel} className="max-sm:px-2.5" />
          {audioUrl === null ? (
            <span className="text-sm whitespace-nowrap text-soft">{NO_AUDIO}</span>
          ) : (
            <Length melody={melody} audio={player.audio} />
          )}
          <MoreButton title={title} isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
        </div>
        <h2 {...langOf(title)} className={clsx('mt-2.5 text-lg', onPhone.title)}>
          <PlayerOpener
            melody={melody}
            className={clsx(onPhone.opener, !hasTibetan(title) && onPhone.twoLines)}
          >
            {title}
          </PlayerOpener>
        </h2>
        <p
          {...langOf(excerpt ?? '')}
          className={clsx(
            'mt-1 line-clamp-2 min-h-[2lh] text-sm text-soft max-sm:line-clamp-none max-sm:min-h-0',
            folded,
          )}
        >
          {excerpt}
        </p>
        <div className={clsx('sm:min-h-13', folded)}>
          <PackSlot melody={melody} />
        </div>
        {(player.state === 'failed' || outcome) && (
          <div className="max-sm:relative max-sm:col-span-3">
            {player.state === 'failed' && <NotAvailable play={play} onTryAgain={() => onPlay(melody)} />}
            {outcome && <LazyBoundary part={UpdatedHere} {...outcome} />}
          </div>
        )}
        <div className={clsx('mt-auto flex flex-wrap gap-2.5 pt-4 max-sm:pt-2.5', folded)}>
          <AdvancedPlayerButton melody={melody} />
          <VideoLink title={title} vimeoUrl={vimeoUrl} />
          {isFavourite !== null && <ChosenButtons {...{ melody, isFavourite, isToday }} />}
        </div>
      </div>
      {onWish && <TeachersButtons title={title} className={folded} onPress={(to) => onWish(to, melody)} />}
    </Card>
  );
});

/**
 * The grid of a row: the picture on the left spans both lines, play is on the right, and the title is above level and
 * length.
 */
const onPhone = {
  row: 'max-sm:relative max-sm:grid max-sm:min-h-21.5 max-sm:grid-cols-[6rem_minmax(0,1fr)_3rem] max-sm:content-center max-sm:gap-x-3 max-sm:rounded-none max-sm:border-0 max-sm:border-b max-sm:py-3.5 max-sm:ps-4 max-sm:pe-2.5 max-sm:shadow-none',
  picture:
    'max-sm:col-start-1 max-sm:row-span-2 max-sm:row-start-1 max-sm:self-center max-sm:overflow-hidden max-sm:rounded-md',
  play: 'max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:z-10 max-sm:self-center',
  title: 'max-sm:col-start-2 max-sm:row-start-1 max-sm:mt-0 max-sm:self-end max-sm:text-base',
  // The rest of the row opens the player.
  opener: 'max-sm:wrap-anywhere max-sm:after:absolute max-sm:after:inset-0 max-sm:[&:lang(bo)]:leading-[1.9]',
  // A line clamp would cut off Tibetan stacks in the last line.
  twoLines: 'max-sm:line-clamp-2 max-sm:leading-snug',
  facts:
    'max-sm:col-start-2 max-sm:row-start-2 max-sm:flex-wrap max-sm:justify-start max-sm:gap-x-2.5 max-sm:gap-y-0.5 max-sm:self-start max-sm:pt-1',
};

type MoreButtonProps = { title: string; isOpen: boolean; onPress: () => void };

/** Expands the details of a row on phones. */
const MoreButton = ({ title, isOpen, onPress }: MoreButtonProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    aria-label={`More of ${title}`}
    onClick={onPress}
    className="z-10 -my-2 grid size-11 place-items-center rounded-md text-soft hover:bg-sunk sm:hidden"
  >
    <ChevronDown className={clsx('size-5', isOpen && 'rotate-180')} />
  </button>
);

type TeachersButtonsProps = { title: string; className: string; onPress: (to: TeachersWish['to']) => void };

const TeachersButtons = ({ title, className, onPress }: TeachersButtonsProps) => (
  <div className={clsx('flex justify-end border-t border-line px-2 py-1 max-sm:border-0', className)}>
    <IconButton label={`Edit ${title}`} icon={<Pencil />} onClick={() => onPress('edit')} />
    <IconButton label={`Delete ${title}`} icon={<Trash2 />} onClick={() => onPress('delete')} />
  </div>
);

function Thumbnail({ melody, isFirst }: { melody: ListedMelody; isFirst: boolean }) {
  const [hasFailed, setHasFailed] = useState(false);
  const image = useRef<HTMLImageElement>(null);
  const isNear = useNear(image, isFirst, useGroupIsNear());
  if (melody.thumbnailUrl === null || hasFailed)
    return <DefaultThumbnail tone={toneOfLevel(melody.transmissionLevel)} />;
  return (
    <img
      ref={(element) => {
        image.current = element;
        if (element && hasFailedAlready(element)) setHasFailed(true);
      }}
      {...(isNear && { src: imageFileUrl(melody.thumbnailUrl) })}
      alt=""
      width={640}
      height={360}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      onError={() => setHasFailed(true)}
      className="absolute inset-0 size-full bg-sunk object-cover"
    />
  );
}

/** On a server-rendered page, a picture may fail before the error handler is attached. */
const hasFailedAlready = ({ src, complete, naturalWidth }: HTMLImageElement) =>
  src !== '' && complete && naturalWidth === 0;

function Length({ melody, audio }: { melody: ListedMelody; audio: HTMLAudioElement | null }) {
  const played = usePlayedSeconds(audio);
  if (melody.duration === null) return null;
  return (
    <span className="text-sm whitespace-nowrap text-soft tabular-nums">
      {audio && `${duration(Math.min(played, melody.duration))} / `}
      <span aria-hidden="true">{duration(melody.duration)}</span>
      <span className="sr-only">{spokenDuration(melody.duration)}</span>
    </span>
  );
}

function PlayedLine({ audio, seconds }: { audio: HTMLAudioElement; seconds: number }) {
  const played = usePlayedSeconds(audio);
  const fraction = seconds > 0 ? Math.min(1, played / seconds) : 0;
  return (
    <div aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1.5 bg-surface/70 forced-colors:border">
      <div className="progress h-full bg-action" style={{ width: `${fraction * 100}%` }} />
    </div>
  );
}

type NotAvailableProps = {
  /** The play button, which is disabled during the failure and so can't have focus. */
  play: RefObject<HTMLButtonElement | null>;
  onTryAgain: () => void;
};

/**
 * Shown in the card of a melody that could not be played. Takes focus from the play button, and returns it afterwards.
 */
function NotAvailable({ play, onTryAgain }: NotAvailableProps) {
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = play.current;
    const isFocusLost = () => document.activeElement === document.body || document.activeElement === button;
    if (isFocusLost()) again.current?.focus({ preventScroll: true });
    return () => {
      if (isFocusLost()) button?.focus({ preventScroll: true });
    };
  }, [play]);
  return (
    <div className="mt-3 text-sm">
      <p role="alert" className="font-semibold text-danger">
        {AUDIO_NOT_AVAILABLE}
      </p>
      <button ref={again} type="button" className="link min-h-11" onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}
