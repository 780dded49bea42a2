import { type ReactNode, useRef } from 'react';
import { useArrival } from '../navigation/focus-on-navigation.ts';
import { usePageTitle } from '../navigation/page-title.ts';

type PageHeadingProps = {
  title: string;
  /** A sentence below the title. */
  children?: ReactNode;
  /** At the far side of the title: a badge, a search field, a button. */
  aside?: ReactNode;
};

/** The page's h1 and its title in the tab; takes focus after navigation. On phones, the header shows the title. */
export function PageHeading({ title, children, aside }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useArrival(heading);
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 lg:mb-7">
      {/* Without a sentence, nothing of it is visible below lg, and its gap would remain. */}
      <div className={children ? 'measure' : 'measure max-lg:contents'}>
        <h1 ref={heading} tabIndex={-1} className="text-3xl max-lg:sr-only">
          {title}
        </h1>
        {children && <p className="text-soft lg:mt-1.5">{children}</p>}
      </div>
      {aside}
    </div>
  );
}
