import { X } from 'lucide-react';
import { type ComponentProps, type ElementType, useEffect } from 'react';
import { LevelBadge } from '../../../levels/web/level-badge.tsx';
import { langOf } from '../tibetan.ts';

/** The player's looks, also of what stands in its place until its code is loaded. */
export const playerScreen = 'group/player fills-screen flex-col overflow-y-auto bg-ground text-ink';
export const playerHead = 'flex shrink-0 items-start justify-between gap-4 px-4 pt-3 sm:px-8 sm:pt-5';

type MelodyHeadingProps = {
  /** What names the dialog that this is in. */
  as: ElementType<ComponentProps<'h2'>>;
  id?: string;
  title: string;
  level?: { id: number; name: string };
};

export function MelodyHeading({ as: Title, id, title, level }: MelodyHeadingProps) {
  useTabTitle(title);
  return (
    <div className="flex min-h-12 min-w-0 flex-wrap items-center gap-x-4 gap-y-1 pt-1">
      <Title
        {...(id && { id })}
        {...langOf(title)}
        // A clamp would cut the stacks of its last line.
        className="line-clamp-2 min-w-0 text-xl wrap-anywhere sm:text-2xl [&:lang(bo)]:line-clamp-none [&:lang(bo)]:leading-[1.9]"
      >
        {title}
      </Title>
      {level && <LevelBadge level={level} />}
    </div>
  );
}

export const ClosePlayer = (props: ComponentProps<'button'>) => (
  <button
    type="button"
    aria-label="Close"
    {...props}
    className="-me-2 grid size-12 shrink-0 place-items-center rounded-md hover:bg-sunk"
  >
    <X aria-hidden="true" className="size-6" />
  </button>
);

/** Puts the melody into the tab's title, and restores the page's title afterwards. */
function useTabTitle(title: string) {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${before}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
