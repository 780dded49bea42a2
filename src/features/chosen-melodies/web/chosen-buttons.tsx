import { clsx } from 'clsx';
import { Heart, ListCheck, ListPlus } from 'lucide-react';
import { type ReactNode } from 'react';
import type { MelodySummary } from '../../melodies/contract.ts';
import { buttonLook } from '../../../platform/web/ui/button.tsx';
import { putToday, removeToday, setFavourite } from './chosen-lists.ts';

type ChosenButtonsProps = { melody: MelodySummary; isFavourite: boolean; isToday: boolean };

/** Whether a melody is a favourite, and in today's list; in words where there is room. */
export const ChosenButtons = ({ melody, isFavourite, isToday }: ChosenButtonsProps) => (
  <>
    <Toggle
      isOn={isFavourite}
      label="Favourite"
      of={melody.title}
      icon={<Heart aria-hidden="true" className={clsx(isFavourite && 'fill-current')} />}
      onPress={() => void setFavourite(melody.id, !isFavourite)}
    />
    <Toggle
      isOn={isToday}
      label="In today’s list"
      of={melody.title}
      icon={isToday ? <ListCheck aria-hidden="true" /> : <ListPlus aria-hidden="true" />}
      onPress={() => void (isToday ? removeToday(melody.id) : putToday(asToday(melody)))}
    />
  </>
);

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
    className={clsx(buttonLook('secondary'), 'min-w-12 sm:px-0', isOn && 'border-action text-action')}
  >
    {icon}
    <span className="sm:hidden">{label}</span>
  </button>
);
