import { clsx } from 'clsx';
import { Heart, ListCheck, ListPlus } from 'lucide-react';
import { type ReactNode } from 'react';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { NO_CONNECTION_MESSAGE, logUnexpectedError } from '#web/api/call.ts';
import { showFailureToast } from '#web/ui/toast-failure.ts';

type FavouriteButtonProps = { melody: MelodySummary; isFavourite: boolean; className: string };

/** Toggles a favourite. On phones, only the heart is visible. */
export const FavouriteButton = ({ melody, isFavourite, className }: FavouriteButtonProps) => (
  <Toggle
    isOn={isFavourite}
    label="Favourite"
    of={melody.title}
    icon={<Heart className={clsx(isFavourite && 'fill-current')} />}
    onPress={() => changeLists(({ setFavourite }) => setFavourite(melody.id, !isFavourite))}
    {...{ className }}
  />
);

type TodaysListButtonProps = { melody: MelodySummary; isToday: boolean; className: string };

/**
 * Toggles whether a melody is on today's list. On phones, the label is one word; on narrow phones, it is
 * hidden.
 */
export const TodaysListButton = ({ melody, isToday, className }: TodaysListButtonProps) => (
  <Toggle
    isOn={isToday}
    label={isToday ? 'On today’s list' : 'Add to today'}
    labelOnPhones="Today"
    of={melody.title}
    icon={isToday ? <ListCheck /> : <ListPlus />}
    onPress={() =>
      changeLists(({ removeFromTodaysList, addToTodaysList }) =>
        isToday ? removeFromTodaysList(melody.id) : addToTodaysList(toTodaysMelody(melody)),
      )
    }
    {...{ className }}
  />
);

// Loaded when a pointer or focus reaches a button, which keeps the initial page load small.
const load = () => import('./chosen-lists.ts');
const preload = () => void load().catch(() => undefined);

function changeLists(by: (lists: Awaited<ReturnType<typeof load>>) => Promise<unknown>) {
  load().then(by, (error: unknown) => {
    logUnexpectedError(error);
    showFailureToast('Couldn’t change your list', error, NO_CONNECTION_MESSAGE);
  });
}

const toTodaysMelody = ({ id, title, thumbnailUrl, duration }: MelodySummary) => ({
  ...{ melodyId: id, title, thumbnailUrl, duration, times: 1 },
});

type ToggleProps = {
  isOn: boolean;
  label: string;
  labelOnPhones?: string;
  of: string;
  icon: ReactNode;
  onPress: () => void;
  className: string;
};

const Toggle = ({ isOn, label, labelOnPhones, of, icon, onPress, className }: ToggleProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    aria-label={`${label}: ${of}`}
    onClick={onPress}
    onPointerEnter={preload}
    onFocus={preload}
    className={clsx(
      'inline-flex min-h-11 min-w-11 shrink-0 items-center justify-center gap-1.5 rounded-md text-sm font-semibold hover:bg-sunk sm:px-2 [&_svg]:size-5',
      isOn ? 'text-action' : 'text-soft',
      className,
    )}
  >
    {icon}
    <span className="max-sm:hidden">{label}</span>
    {labelOnPhones && <span className="max-[22.49rem]:hidden sm:hidden">{labelOnPhones}</span>}
  </button>
);
