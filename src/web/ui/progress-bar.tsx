import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** The browser's own progress bar, in our colours. */
export const ProgressBar = ({ className, ...bar }: ComponentProps<'progress'> & { 'aria-label': string }) => (
  <progress
    {...bar}
    className={clsx(
      'block w-full overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-action [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-action',
      className,
    )}
  />
);
