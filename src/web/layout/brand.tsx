import { clsx } from 'clsx';
import { Link } from 'wouter';
import { useSettings } from '../api/page-data.ts';
import { Lotus } from '../ui/lotus.tsx';

type BrandProps = {
  onClick?: () => void;
  /** Shows only the name on phones, where there is no room for both. */
  isShort?: boolean;
};

/** Logo and product name, as a link to the home page. */
export function Brand({ onClick, isShort = false }: BrandProps) {
  const { appName } = useSettings();
  return (
    <Link
      href="/"
      {...(onClick ? { onClick } : {})}
      className="flex min-h-11 min-w-0 items-center gap-3 rounded-md px-1 font-serif text-xl text-ink"
    >
      <Lotus className={clsx('w-8 text-action', isShort && 'max-sm:hidden')} strokeWidth={3} />
      <span className="truncate">{appName}</span>
    </Link>
  );
}

/** Returns 'Khandro-la' for the teacher, 'Student' otherwise. */
export function useRoleName(role: 'admin' | 'student') {
  const { teacherTitle } = useSettings();
  return role === 'admin' ? teacherTitle : 'Student';
}
