import { clsx } from 'clsx';

/** The only ornament: an outline of a lotus with seven petals over water. Hidden from screen readers. */
export function Lotus({ className, strokeWidth = 2 }: { className?: string; strokeWidth?: number }) {
  return (
    <svg
      viewBox="0 0 120 92"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      className={clsx('shrink-0', className)}
    >
      {PETALS.map((petal) => (
        <path key={petal} d={petal} />
      ))}
      <path d="M2 80C34 94 86 94 118 80" />
    </svg>
  );
}

const PETALS = [
  'M60 72C38 48 39 20 60 2C81 20 82 48 60 72Z',
  'M60 72C26 62 19 34 28 13C50 18 63 42 60 72Z',
  'M60 72C94 62 101 34 92 13C70 18 57 42 60 72Z',
  'M60 72C34 79 14 65 11 40C31 33 51 44 60 72Z',
  'M60 72C86 79 106 65 109 40C89 33 69 44 60 72Z',
  'M60 72C42 86 22 84 13 66C27 52 46 55 60 72Z',
  'M60 72C78 86 98 84 107 66C93 52 74 55 60 72Z',
];
