import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { Initials } from '#web/ui/initials.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

type AccountButtonProps = ComponentProps<'button'> & { busy?: boolean };

export function AccountButton({ busy = false, ...rest }: AccountButtonProps) {
  const name = formatDisplayName(useUser());
  return (
    <button
      aria-haspopup="menu"
      aria-expanded={false}
      {...rest}
      type="button"
      aria-busy={busy || undefined}
      className="flex min-h-12 items-center gap-2 rounded-md px-1 hover:bg-sunk"
    >
      {busy ? (
        <span className="grid size-10 place-items-center">
          <Spinner />
        </span>
      ) : (
        <Initials name={name} />
      )}
      <span className="text-sm font-semibold @max-[40rem]:sr-only">
        <span className="sr-only">
          <bdi>{name}</bdi>:{' '}
        </span>
        <span className="inline-block first-letter:uppercase">account</span>
      </span>
      <ChevronDown className="size-5 @max-[40rem]:hidden" />
    </button>
  );
}
