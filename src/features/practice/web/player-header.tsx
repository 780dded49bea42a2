import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type ComponentProps, type ElementType, type ReactNode, useEffect } from 'react';
import { LevelBadge } from '#features/people/levels/web/level-badge.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';

/** Styles of the player, shared with the placeholder that is shown while the player's code loads. */
export const playerScreenClass = 'full-screen flex-col overflow-x-clip overflow-y-auto bg-ground text-ink';

type PlayerHeaderProps = {
  /** The element that names the surrounding dialog. */
  as: ElementType<ComponentProps<'h2'>>;
  id?: string;
  title: string;
  level?: { id: number; name: string } | undefined;
  /** The close button: on the left on phones, on the right on desktops. */
  close: ReactNode;
  /** The player's menu. */
  children?: ReactNode;
};

/**
 * A single row with the close button, title and menu. On desktops the title comes first and the menu is
 * expanded.
 */
export function PlayerHeader({ as: Title, id, title, level, close, children }: PlayerHeaderProps) {
  useTabTitle(title);
  return (
    <header className="relative z-20 grid min-h-12 shrink-0 grid-cols-[3rem_minmax(0,1fr)_3rem] items-center px-1 desk:flex desk:min-h-16 desk:gap-2 desk:px-6">
      {close}
      <div className="min-w-0 text-center desk:flex desk:grow desk:items-center desk:gap-4 desk:text-start">
        <Title
          {...(id && { id })}
          {...getLangProps(title)}
          // Shows Tibetan titles without a line clamp, which would cut off stacked letters in the last line.
          className={clsx(
            'line-clamp-2 min-w-0 text-lg leading-[1.15] font-normal wrap-anywhere desk:text-2xl desk:leading-tight',
            '[&:lang(bo)]:line-clamp-none [&:lang(bo)]:leading-[1.9]',
          )}
        >
          {title}
        </Title>
        {level && (
          <div className="shrink-0 max-desk:hidden">
            <LevelBadge level={level} />
          </div>
        )}
      </div>
      {children}
    </header>
  );
}

export const ClosePlayerButton = (props: ComponentProps<'button'>) => (
  <button
    type="button"
    aria-label="Close"
    {...props}
    className="grid size-12 shrink-0 place-items-center rounded-md hover:bg-sunk desk:order-last"
  >
    <X className="size-6" />
  </button>
);

/** Adds the melody to the tab's title, and restores the page's title afterwards. */
function useTabTitle(title: string) {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${before}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
