import { Pencil, Trash2 } from 'lucide-react';
import { memo, type RefObject, useEffect, useRef, useState } from 'react';
import { LevelBadge, toneOfLevel } from '../../levels/web/level-badge.tsx';
import type { ListedMelody } from '../contract.ts';
import { PlayButton } from '../../../platform/web/audio-ui/playback/audio-player.tsx';
import { imageFileUrl } from '../../../platform/web/audio-ui/playback/media-url.ts';
import {
  AUDIO_NOT_AVAILABLE,
  usePlayedSeconds,
} from '../../../platform/web/audio-ui/playback/use-playback.ts';
import { PackSlot } from '../../pack/web/pack-slot.tsx';
import { Card } from '../../../platform/web/ui/card.tsx';
import { DefaultThumbnail } from '../../../platform/web/ui/default-thumbnail.tsx';
import { IconButton } from '../../../platform/web/ui/icon-button.tsx';
import { duration, spokenDuration } from '../../../platform/web/ui/duration.ts';
import { UpdatedHere } from './library-outcome.tsx';
import { useGroupIsNear } from './card-group.tsx';
import { AdvancedPlayerButton } from './player/player-place.tsx';
import type { TeachersWish } from './teacher-dialogs.tsx';
import { langOf } from './tibetan.ts';
import { useNear } from './use-near.ts';
import type { CardPlayer } from './use-library-player.ts';
import { VideoLink } from './video-link.tsx';

type MelodyCardProps = {
  melody: ListedMelody;
  player: CardPlayer;
  /** Outcome of an edit that was just saved. */
  outcome: { isApproximate: boolean } | null;
  onPlay: (melody: ListedMelody) => void;
  /** Null for users who may only listen. */
  onWish: ((to: TeachersWish['to'], melody: ListedMelody) => void) | null;
  isFirst: boolean;
};

/** Re-renders only when its own props change: there may be two thousand cards. */
export const MelodyCard = memo(function MelodyCard(props: MelodyCardProps) {
  const { melody, player, outcome, onPlay, onWish, isFirst } = props;
  const { title, excerpt, transmissionLevel, vimeoUrl, audioUrl } = melody;
  const play = useRef<HTMLButtonElement>(null);
  return (
    <Card role="listitem" isBare className="flex flex-col">
      <div className="relative aspect-video">
        <Thumbnail melody={melody} isFirst={isFirst} />
        {audioUrl !== null && (
          <PlayButton
            ref={play}
            state={player.state}
            title={title}
            onPress={() => onPlay(melody)}
            className="absolute end-3 bottom-3 shadow-soft"
          />
        )}
        {player.audio && <PlayedLine audio={player.audio} seconds={melody.duration ?? 0} />}
      </div>
      <div className="flex grow flex-col p-5">
        <div className="flex items-center justify-between gap-3">
          <LevelBadge level={transmissionLevel} />
          <Length melody={melody} audio={player.audio} />
        </div>
        <h2 {...langOf(title)} className="mt-2.5 text-lg">
          {title}
        </h2>
        <p {...langOf(excerpt ?? '')} className="mt-1 line-clamp-2 min-h-[2lh] text-sm text-soft">
          {excerpt}
        </p>
        <PackSlot melody={melody} />
        {player.state === 'failed' && <NotAvailable play={play} onTryAgain={() => onPlay(melody)} />}
        {outcome && <UpdatedHere {...outcome} />}
        <div className="mt-auto flex flex-wrap gap-2.5 pt-4">
          <AdvancedPlayerButton melody={melody} />
          <VideoLink title={title} vimeoUrl={vimeoUrl} />
        </div>
      </div>
      {onWish && <TeachersButtons title={title} onPress={(to) => onWish(to, melody)} />}
    </Card>
  );
});

type TeachersButtonsProps = { title: string; onPress: (to: TeachersWish['to']) => void };

const TeachersButtons = ({ title, onPress }: TeachersButtonsProps) => (
  <div className="flex justify-end border-t border-line px-2 py-1">
    <IconButton
      label={`Edit ${title}`}
      icon={<Pencil aria-hidden="true" />}
      onClick={() => onPress('edit')}
    />
    <IconButton
      label={`Delete ${title}`}
      icon={<Trash2 aria-hidden="true" />}
      onClick={() => onPress('delete')}
    />
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
      className="size-full bg-sunk object-cover"
    />
  );
}

/** On a rendered page, a picture may fail before the error handler is attached. */
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
    <div aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1.5 bg-surface/70">
      <div className="h-full bg-action" style={{ width: `${fraction * 100}%` }} />
    </div>
  );
}

type NotAvailableProps = {
  /** The play button: it is disabled meanwhile, and so can't have focus. */
  play: RefObject<HTMLButtonElement | null>;
  onTryAgain: () => void;
};

/** Shown in the card of a melody that could not be played. Takes focus from the play button, and returns it there. */
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
