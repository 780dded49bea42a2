import { clsx } from 'clsx';
import { Heart, ListCheck, ListPlus } from 'lucide-react';
import { type ReactNode } from 'react';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { NO_CONNECTION, noteFault } from '#web/api/call.ts';
import { toastFailure } from '#web/ui/toast-failure.ts';

type FavouriteButtonProps = { melody: MelodySummary; isFavourite: boolean; className?: string };

/** Toggles a favourite. On narrow screens only the heart is visible. */
export const FavouriteButton = ({ melody, isFavourite, className }: FavouriteButtonProps) => (
  <Toggle
    isOn={isFavourite}
    label="Favourite"
    of={melody.title}
    icon={<Heart className={clsx(isFavourite && 'fill-current')} />}
    onPress={() => change(({ setFavourite }) => setFavourite(melody.id, !isFavourite))}
    className={clsx('max-sm:px-0', className)}
    isLabelWide
  />
);

/** Adds a melody to today's list, or removes it. */
export const TodayButton = ({ melody, isToday }: { melody: MelodySummary; isToday: boolean }) => (
  <Toggle
    isOn={isToday}
    label={isToday ? 'On today’s list' : 'Add to today’s list'}
    of={melody.title}
    icon={isToday ? <ListCheck /> : <ListPlus />}
    onPress={() =>
      change(({ removeToday, putToday }) => (isToday ? removeToday(melody.id) : putToday(asToday(melody))))
    }
  />
);

// Fetched when a pointer or focus reaches a button, which keeps the first screen lighter.
const load = () => import('./chosen-lists.ts');
const fetchEarly = () => void load().catch(() => undefined);

function change(by: (lists: Awaited<ReturnType<typeof load>>) => Promise<unknown>) {
  load().then(by, (error: unknown) => {
    noteFault(error);
    toastFailure('Couldn’t change your list', error, NO_CONNECTION);
  });
}

const asToday = ({ id, title, thumbnailUrl, duration }: MelodySummary) => ({
  ...{ melodyId: id, title, thumbnailUrl, duration, times: 1 },
});

type ToggleProps = {
  isOn: boolean;
  label: string;
  of: string;
  icon: ReactNode;
  onPress: () => void;
  className?: string;
  /** Whether the label is hidden on narrow screens. */
  isLabelWide?: boolean;
};

const Toggle = ({ isOn, label, of, icon, onPress, className, isLabelWide = false }: ToggleProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    aria-label={`${label}: ${of}`}
    onClick={onPress}
    onPointerEnter={fetchEarly}
    onFocus={fetchEarly}
    className={clsx(
      'inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-md px-2 text-sm font-semibold hover:bg-sunk [&_svg]:size-5',
      isOn ? 'text-action' : 'text-soft',
      className,
    )}
  >
    {icon}
    <span className={isLabelWide ? 'max-sm:hidden' : undefined}>{label}</span>
  </button>
);
