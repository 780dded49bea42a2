import { type ReactNode, useRef } from 'react';
import { useFocusOnNavigation } from '../navigation/focus-on-navigation.ts';
import { usePageTitle } from '../navigation/page-title.ts';
import { Lotus } from '../ui/lotus.tsx';

type MessagePageProps = { title: string; text: string; action?: ReactNode };

/** A page with a single message. */
export function MessagePage({ title, text, action }: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title, '');
  useFocusOnNavigation(heading);
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-lg flex-col items-center justify-center text-center">
      <Lotus className="mb-6 w-24 text-saffron" strokeWidth={1.5} />
      <h1 ref={heading} tabIndex={-1} className="text-2xl lg:text-3xl">
        {title}
      </h1>
      <p className="mt-3 text-soft">{text}</p>
      {action && <div className="mt-7">{action}</div>}
    </div>
  );
}
