import { clsx } from 'clsx';
import { Link } from 'wouter';
import { usePageSettings } from '../api/page-data.ts';
import { Lotus } from '../ui/lotus.tsx';

type BrandProps = {
  onClick?: () => void;
  /** Hides the logo and reduces the height on phones, where the role is shown below the name. */
  isInHeader?: boolean;
};

/** Logo and product name, as a link to the home page. */
export function Brand({ onClick, isInHeader = false }: BrandProps) {
  const { appName } = usePageSettings();
  return (
    <Link
      href="/"
      {...(onClick ? { onClick } : {})}
      className={clsx(
        'flex min-h-11 min-w-0 items-center gap-3 rounded-md font-serif text-ink',
        isInHeader ? 'text-[length:min(var(--text-xl),6.5cqw)] max-sm:-my-2' : 'px-1 text-xl',
      )}
    >
      <Lotus className={clsx('w-8 text-action', isInHeader && 'max-sm:hidden')} strokeWidth={3} />
      <span className="truncate">{appName}</span>
    </Link>
  );
}

/** Returns the configured title for the teacher, such as 'Khandro-la'; otherwise 'Student'. */
export function useRoleName(role: 'admin' | 'student') {
  const { teacherTitle } = usePageSettings();
  return role === 'admin' ? teacherTitle : 'Student';
}
