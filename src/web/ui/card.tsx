import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

type CardProps = ComponentProps<'div'> & {
  as?: 'div' | 'article' | 'section' | 'li';
  /** Removes the padding, for cards with an image at the edge. */
  isBare?: boolean;
};

export function Card({ as: Element = 'div', isBare = false, className, ...rest }: CardProps) {
  return (
    <Element
      {...(rest as object)}
      className={clsx(
        'rounded-lg border border-line bg-surface shadow-soft',
        isBare ? 'overflow-hidden' : 'p-5 sm:p-6',
        className,
      )}
    />
  );
}
