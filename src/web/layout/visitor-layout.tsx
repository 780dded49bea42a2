import { type ReactNode, useEffect, useRef } from 'react';
import { useFocusOnNavigation } from '../navigation/focus-on-navigation.ts';
import { BrandPanel } from './brand-panel.tsx';

/** The layout of visitors' pages: the brand panel, and one column beside or below it. */
export function VisitorLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col lg:grid lg:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)]">
      <BrandPanel />
      <main className="flex grow flex-col items-center px-5 pt-7 pb-10 sm:px-8 lg:justify-center lg:py-12">
        {children}
      </main>
    </div>
  );
}

type VisitorHeadingProps = {
  children: string;
  /** Whether the heading replaces an earlier heading on the page and must therefore take the focus. */
  isNext?: boolean;
};

export function VisitorHeading({ children, isNext = false }: VisitorHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnNavigation(heading);
  useEffect(() => {
    if (isNext) heading.current?.focus();
  }, [isNext]);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-3xl">
      {children}
    </h1>
  );
}
