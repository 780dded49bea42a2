import { clsx } from 'clsx';
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { FavouriteButton, TodaysListButton } from '#features/melodies/favourites/web/chosen-buttons.tsx';
import { MelodyPicture } from '#features/melodies/web/melody-picture.tsx';
import { LevelBadge } from '#features/people/levels/web/level-badge.tsx';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { PlayButton } from '#web/audio-ui/playback/play-button.tsx';
import {
  AUDIO_NOT_AVAILABLE_MESSAGE,
  AUDIO_NOT_AVAILABLE_TITLE,
  usePlaybackPositionSeconds,
} from '#web/audio-ui/playback/use-playback.ts';
import { LazyPackStatus } from '#features/offline/saved-melodies/web/lazy-pack.tsx';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { Card } from '#web/ui/card.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { formatDuration, formatDurationInWords } from '#web/ui/format-duration.ts';
import { LazyMelodyUpdatedNotice } from './library-outcome.ts';
import { useIsGroupNearViewport } from './card-group.tsx';
import { AdvancedPlayerButton, OpenPlayerButton } from '#features/practice/web/player-host.tsx';
import type { LibraryAction } from './library-action-dialog.tsx';
import { hasTibetan } from '#features/lyrics/tibetan-script.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { useIsNearViewport } from './use-is-near-viewport.ts';
import type { CardPlayback } from './use-library-player.ts';
import { VideoLink } from '#features/melodies/web/video-link.tsx';

type MelodyCardProps = {
  melody: ListedMelody;
  player: CardPlayback;
  /** Outcome of an edit that has just been saved; null if there is none. */
  outcome: { isApproximate: boolean } | null;
  onPlay: (melody: ListedMelody) => void;
  /** Null for users who may not change melodies. */
  onAction: ((to: LibraryAction['kind'], melody: ListedMelody) => void) | null;
  isFirst: boolean;
  /** Null for users who can't choose favourites. */
  isFavourite: boolean | null;
  isToday: boolean;
};

/**
 * Shows a melody as a card. On phones it is a row of picture, title, level, length and play button, with the
 * rest collapsed. Both layouts share one set of elements, because there may be two thousand melodies. Memoized
 * for the same reason.
 */
export const MelodyCard = memo(function MelodyCard(props: MelodyCardProps) {
  const { melody, player, outcome, onPlay, onAction, isFirst, isFavourite, isToday } = props;
  const { title, excerpt, transmissionLevel, vimeoUrl, audioUrl } = melody;
  const [isOpen, setIsOpen] = useState(false);
  const play = useRef<HTMLButtonElement>(null);
  const folded = clsx('max-sm:relative max-sm:col-span-3', !isOpen && 'max-sm:hidden');
  return (
    <Card role="listitem" isBare className={clsx('relative flex flex-col', phoneClasses.row)}>
      <div className={clsx('relative sm:aspect-5/2', phoneClasses.picture)}>
        <Thumbnail melody={melody} isFirst={isFirst} />
        {audioUrl === null ? (
          // On phones, the small picture has space for these words only at the normal text size.
          <span className={clsx(onPictureClasses, 'max-sm:text-[1rem]')}>{AUDIO_NOT_AVAILABLE_TITLE}</span>
        ) : (
          <CardDuration melody={melody} audio={player.audio} />
        )}
        {player.audio && <ProgressLine audio={player.audio} seconds={melody.duration ?? 0} />}
      </div>
      <div className={clsx('relative', phoneClasses.play)}>
        <PlayButton
          ref={play}
          state={audioUrl === null ? 'failed' : player.state}
          title={title}
          onPress={() => onPlay(melody)}
          // The light ring makes the button visible on dark pictures.
          className="shadow-soft max-sm:border max-sm:border-line max-sm:bg-ground max-sm:text-action max-sm:shadow-none max-sm:enabled:hover:bg-sunk sm:absolute sm:end-3 sm:bottom-3 sm:border-2 sm:border-(--on-picture)"
        />
      </div>
      <div className="flex grow flex-col p-4 max-sm:contents">
        <h2 {...getLangProps(title)} className={clsx('text-lg leading-tight', phoneClasses.title)}>
          <OpenPlayerButton
            melody={melody}
            className={clsx(phoneClasses.opener, !hasTibetan(title) && phoneClasses.shortened)}
          >
            {title}
          </OpenPlayerButton>
        </h2>
        <div className={clsx('min-w-0 sm:mt-2', phoneClasses.level)}>
          <LevelBadge level={transmissionLevel} isShortOnPhones className={phoneClasses.badge} />
        </div>
        {isFavourite !== null && (
          <FavouriteButton
            {...{ melody, isFavourite }}
            className={clsx(phoneClasses.button, 'max-sm:-ms-3 sm:absolute sm:end-3 sm:bottom-4')}
          />
        )}
        <MoreButton title={title} isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
        {excerpt && (
          <p
            {...getLangProps(excerpt)}
            className={clsx('mt-2 line-clamp-2 text-sm text-soft max-sm:line-clamp-none', folded)}
          >
            {excerpt}
          </p>
        )}
        {(player.state === 'failed' || outcome) && (
          <div className="max-sm:relative max-sm:col-span-3">
            {player.state === 'failed' && <NotAvailable play={play} onTryAgain={() => onPlay(melody)} />}
            {outcome && <LazyBoundary part={LazyMelodyUpdatedNotice} {...outcome} />}
          </div>
        )}
        <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-3 max-sm:contents">
          {isFavourite !== null && (
            <div className="order-1 flex w-full flex-wrap max-sm:contents">
              <TodaysListButton
                {...{ melody, isToday }}
                className={clsx(phoneClasses.button, 'max-sm:ms-8 max-sm:ps-3 max-[22.49rem]:ps-0 sm:-ms-2')}
              />
              {/* Leaves space for the favourite button. */}
              <span className="ms-auto h-11 w-32 max-sm:hidden" />
            </div>
          )}
          <div
            className={clsx(
              'flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:pt-2 max-sm:pb-3 sm:contents',
              folded,
            )}
          >
            <AdvancedPlayerButton melody={melody} />
            <VideoLink title={title} vimeoUrl={vimeoUrl} />
            {/* Hidden from teachers on wide screens. They store whole levels on the device instead of single
                melodies, and need the space for other buttons. */}
            <div className={onAction ? 'sm:hidden' : 'contents'}>
              <LazyPackStatus melody={melody} />
            </div>
          </div>
        </div>
      </div>
      {onAction && <TeacherButtons title={title} className={folded} onPress={(to) => onAction(to, melody)} />}
    </Card>
  );
});

/**
 * Grid of a row on phones: the picture above the level on the left, the title above the buttons in the middle,
 * and the play button on the right. A two-line title still fits into the height of 86 px. On the narrowest
 * phones, a title may take three lines.
 */
const phoneClasses = {
  row: 'max-sm:grid max-sm:min-h-21.5 max-sm:grid-cols-[6rem_minmax(0,1fr)_3rem] max-sm:content-center max-sm:gap-x-3 max-sm:rounded-none max-sm:border-0 max-sm:border-b max-sm:py-0.5 max-sm:ps-4 max-sm:pe-2.5 max-sm:shadow-none',
  picture:
    'max-sm:aspect-video max-sm:col-start-1 max-sm:row-start-1 max-sm:self-start max-sm:overflow-hidden max-sm:rounded-md',
  play: 'max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 max-sm:z-10 max-sm:self-center',
  title:
    'max-sm:col-start-2 max-sm:row-start-1 max-sm:self-start max-sm:pb-1.5 max-sm:text-base max-sm:leading-tight',
  // On phones, the link covers the whole row except its buttons. On wider screens, it is taller than its text,
  // because one line is too small to tap.
  opener:
    'wrap-anywhere max-sm:after:absolute max-sm:after:inset-0 sm:relative sm:after:absolute sm:after:start-0 sm:after:top-1/2 sm:after:h-11 sm:after:w-full sm:after:-translate-y-1/2 max-sm:[&:lang(bo)]:leading-[1.9]',
  // Not for Tibetan titles: a line clamp would cut off the stacks of their last line.
  shortened: 'max-sm:line-clamp-2 max-[22.49rem]:line-clamp-3',
  level: 'max-sm:col-start-1 max-sm:row-start-2 max-sm:-me-2 max-sm:mt-0.5',
  badge: 'max-sm:block max-sm:w-fit max-sm:max-w-full max-sm:truncate max-sm:px-1.5 max-sm:py-0',
  // The buttons share one cell and are taller than its line of text, so they extend upwards into the space of
  // the title.
  button:
    'max-sm:z-10 max-sm:col-start-2 max-sm:row-start-2 max-sm:-mt-4 max-sm:-mb-1 max-sm:self-start max-sm:justify-self-start',
};

/**
 * Places the duration, or the note that there is no audio, on the picture, so that a row doesn't grow while
 * it plays.
 */
const onPictureClasses =
  'absolute start-1.5 bottom-2 rounded-sm bg-(--on-picture-ground) px-1.5 text-sm leading-snug text-(--on-picture) tabular-nums forced-colors:border';

type MoreButtonProps = { title: string; isOpen: boolean; onPress: () => void };

/** Expands the details of a row on phones. */
const MoreButton = ({ title, isOpen, onPress }: MoreButtonProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    aria-label={`More about ${title}`}
    onClick={onPress}
    className="z-10 col-start-2 row-start-2 -mt-4 -mb-1 grid size-11 place-items-center justify-self-end rounded-md text-soft hover:bg-sunk max-[22.49rem]:-me-2.5 sm:hidden"
  >
    <EllipsisVertical className="size-5" />
  </button>
);

type TeacherButtonsProps = { title: string; className: string; onPress: (to: LibraryAction['kind']) => void };

const TeacherButtons = ({ title, className, onPress }: TeacherButtonsProps) => (
  <div className={clsx('flex justify-end border-t border-line px-2 py-1 max-sm:border-0', className)}>
    <IconButton label={`Edit ${title}`} icon={<Pencil />} onClick={() => onPress('edit')} />
    <IconButton label={`Delete ${title}`} icon={<Trash2 />} onClick={() => onPress('delete')} />
  </div>
);

function Thumbnail({ melody, isFirst }: { melody: ListedMelody; isFirst: boolean }) {
  const image = useRef<HTMLImageElement>(null);
  const isNear = useIsNearViewport(image, isFirst, useIsGroupNearViewport());
  return <MelodyPicture ref={image} {...{ melody, isNear, isFirst }} />;
}

function CardDuration({ melody, audio }: { melody: ListedMelody; audio: HTMLAudioElement | null }) {
  const played = usePlaybackPositionSeconds(audio);
  if (melody.duration === null) return null;
  return (
    <span className={clsx(onPictureClasses, 'whitespace-nowrap')}>
      {audio && formatDuration(Math.min(played, melody.duration))}
      <span aria-hidden="true" className={audio ? 'max-sm:hidden' : undefined}>
        {audio && ' / '}
        {formatDuration(melody.duration)}
      </span>
      <span className="sr-only">{formatDurationInWords(melody.duration)}</span>
    </span>
  );
}

function ProgressLine({ audio, seconds }: { audio: HTMLAudioElement; seconds: number }) {
  const played = usePlaybackPositionSeconds(audio);
  const fraction = seconds > 0 ? Math.min(1, played / seconds) : 0;
  return (
    <div aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1.5 bg-surface/70 forced-colors:border">
      <div className="progress h-full bg-action" style={{ width: `${fraction * 100}%` }} />
    </div>
  );
}

type NotAvailableProps = {
  /** The play button. It is disabled while the failure is shown, so it can't have focus. */
  play: RefObject<HTMLButtonElement | null>;
  onTryAgain: () => void;
};

/**
 * Shown in the card of a melody that could not be played. Takes focus from the play button, and returns it when
 * the message disappears.
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
        {AUDIO_NOT_AVAILABLE_MESSAGE}
      </p>
      <button ref={again} type="button" className="link min-h-11" onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}
