import { clsx } from 'clsx';
import { type ReactNode, useRef } from 'react';
import { useFocusOnNavigation } from '../navigation/focus-on-navigation.ts';
import { usePageTitle } from '../navigation/page-title.ts';

type PageHeadingProps = {
  title: string;
  /** A sentence below the title. */
  children?: ReactNode;
  /** Shown opposite the title: a badge, a search field, a button. */
  aside?: ReactNode;
  /** Places the heading beside the account menu on wide screens, for a page that fills the window. */
  isLow?: boolean;
};

/** The page's h1 and its title in the tab; takes focus after navigation. On phones, the header shows the title. */
export function PageHeading({ title, children, aside, isLow = false }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useFocusOnNavigation(heading);
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center justify-between gap-x-6 gap-y-3',
        isLow
          ? 'mb-3 desk:relative desk:z-20 desk:me-64 desk:min-h-14 desk:max-xl:flex-nowrap'
          : ['lg:mb-7', (children || aside) && 'mb-5'],
      )}
    >
      {/* Without a sentence, this element is empty below lg. `contents` removes the gap that it would leave. */}
      <div className={children ? 'measure' : 'measure max-lg:contents'}>
        <h1
          ref={heading}
          tabIndex={-1}
          className={clsx('max-lg:sr-only', isLow ? 'text-xl xl:text-2xl' : 'text-3xl')}
        >
          {title}
        </h1>
        {children && (
          <p className={clsx('text-soft', isLow ? 'desk:max-xl:text-sm' : 'lg:mt-1.5')}>{children}</p>
        )}
      </div>
      {aside}
    </div>
  );
}
