/** Classes for a bar that keeps the action of a long list visible at the bottom of the screen. */
export const actionBarClass =
  'sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line bg-surface px-4 py-3 sm:mx-0 sm:rounded-md sm:border';
