import { clsx } from 'clsx';

/** A person's initials in a circle; hidden from screen readers, because the name is shown beside it. */
export function Initials({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid size-10 shrink-0 place-items-center rounded-full bg-saffron-ground text-xs font-bold text-saffron-ink',
        className,
      )}
    >
      {getInitials(name)}
    </span>
  );
}

export function getInitials(name: string) {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}
