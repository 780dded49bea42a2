import { clsx } from 'clsx';
import { Heart, ListCheck, ListPlus } from 'lucide-react';
import { type ReactNode } from 'react';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { NO_CONNECTION, noteFault } from '#web/api/call.ts';
import { toastFailure } from '#web/ui/toast-failure.ts';
import { buttonLook } from '#web/ui/button.tsx';

type ChosenButtonsProps = { melody: MelodySummary; isFavourite: boolean; isToday: boolean };

/** Toggles for favourite and today's list. Labels are visible on narrow screens only. */
export const ChosenButtons = ({ melody, isFavourite, isToday }: ChosenButtonsProps) => (
  <>
    <Toggle
      isOn={isFavourite}
      label="Favourite"
      of={melody.title}
      icon={<Heart className={clsx(isFavourite && 'fill-current')} />}
      onPress={() => change(({ setFavourite }) => setFavourite(melody.id, !isFavourite))}
    />
    <Toggle
      isOn={isToday}
      label={isToday ? 'On today’s list' : 'Add to today'}
      of={melody.title}
      icon={isToday ? <ListCheck /> : <ListPlus />}
      onPress={() =>
        change(({ removeToday, putToday }) => (isToday ? removeToday(melody.id) : putToday(asToday(melody))))
      }
    />
  </>
);

// Fetched when a pointer or focus reaches a button, which keeps the first screen lighter.
const load = () => import('./chosen-lists.ts');
const fetchEarly = () => void load().catch(() => undefined);

function change(by: (lists: Awaited<ReturnType<typeof load>>) => Promise<unknown>) {
  load().then(by, (error: unknown) => {
    noteFault(error);
    toastFailure('Couldn’t change this', error, NO_CONNECTION);
  });
}

const asToday = ({ id, title, thumbnailUrl, duration }: MelodySummary) => ({
  ...{ melodyId: id, title, thumbnailUrl, duration, times: 1 },
});

type ToggleProps = { isOn: boolean; label: string; of: string; icon: ReactNode; onPress: () => void };

const Toggle = ({ isOn, label, of, icon, onPress }: ToggleProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    aria-label={`${label}: ${of}`}
    title={label}
    onClick={onPress}
    onPointerEnter={fetchEarly}
    onFocus={fetchEarly}
    className={clsx(buttonLook('secondary'), 'min-w-12 sm:px-0', isOn && 'border-action text-action')}
  >
    {icon}
    <span className="sm:hidden">{label}</span>
  </button>
);
