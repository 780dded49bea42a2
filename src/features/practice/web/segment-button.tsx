import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** Styles for a group of buttons in one frame. */
export const segmentGroupClass =
  'flex min-w-0 divide-x divide-line overflow-clip rounded-md bg-surface outline -outline-offset-1 outline-edge';

export const SegmentButton = ({
  isChosen = false,
  className,
  ...button
}: ComponentProps<'button'> & { isChosen?: boolean }) => (
  <button
    type="button"
    {...button}
    className={clsx(
      'grid min-h-11 min-w-11 grow place-items-center px-1 text-sm leading-tight font-semibold whitespace-nowrap tabular-nums',
      'focus-visible:-outline-offset-3 disabled:text-soft disabled:opacity-60 desk:grow-0 desk:px-3.5 [&_svg]:size-5',
      isChosen ? 'forced-highlight bg-action text-on-action' : 'enabled:hover:bg-sunk',
      className,
    )}
  />
);
