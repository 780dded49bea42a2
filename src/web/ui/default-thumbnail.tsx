import { clsx } from 'clsx';
import { Lotus } from './lotus.tsx';
import { type ColourTone, colourToneClasses } from './tone.ts';

/** Shown if a melody has no image, or its image can't be loaded. Fills its container. */
export function DefaultThumbnail({ tone, className }: { tone: ColourTone; className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'grid size-full place-items-center bg-(--tone-art)',
        colourToneClasses[tone],
        className,
      )}
    >
      <Lotus className="h-[58%] max-w-[58%] text-(--tone-ink) opacity-85" strokeWidth={1.25} />
    </div>
  );
}
