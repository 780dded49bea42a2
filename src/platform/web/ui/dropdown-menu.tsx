import * as RadixMenu from '@radix-ui/react-dropdown-menu';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

type DropdownMenuProps = {
  /** One focusable element that takes a ref, such as a button. */
  trigger: ReactNode;
  children: ReactNode;
  /** For a menu whose code is loaded on demand. */
  isInitiallyOpen?: boolean;
};

/** Not in a portal, so that it stays within its landmark; the page below stays readable while it is open. */
export function DropdownMenu({ trigger, children, isInitiallyOpen = false }: DropdownMenuProps) {
  return (
    <RadixMenu.Root modal={false} defaultOpen={isInitiallyOpen}>
      <RadixMenu.Trigger asChild>{trigger}</RadixMenu.Trigger>
      <RadixMenu.Content
        align="end"
        sideOffset={6}
        collisionPadding={8}
        className="z-40 min-w-56 rounded-md border border-line bg-surface p-1.5 text-ink shadow-soft"
      >
        {children}
      </RadixMenu.Content>
    </RadixMenu.Root>
  );
}

type MenuItemProps = { icon?: ReactNode; children: ReactNode; isDangerous?: boolean; onSelect: () => void };

export function MenuItem({ icon, children, isDangerous = false, onSelect }: MenuItemProps) {
  return (
    <RadixMenu.Item onSelect={onSelect} className={clsx(itemLook, isDangerous && 'text-danger')}>
      {icon}
      {children}
    </RadixMenu.Item>
  );
}

export function MenuLink({ icon, href, children }: { icon?: ReactNode; href: string; children: ReactNode }) {
  return (
    <RadixMenu.Item asChild>
      <Link href={href} className={itemLook}>
        {icon}
        {children}
      </Link>
    </RadixMenu.Item>
  );
}

export const MenuSeparator = () => <RadixMenu.Separator className="my-1.5 h-px bg-line" />;

const itemLook =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-3 py-2 text-sm outline-none select-none data-highlighted:bg-sunk data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-lapis [&_svg]:size-5';
