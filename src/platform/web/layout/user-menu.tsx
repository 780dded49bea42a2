import { ChevronDown, LogOut, Settings, UserRound } from 'lucide-react';
import { useState } from 'react';
import { usePathExists } from '../existing-paths.ts';
import { displayName, useUser } from '../session.ts';
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator } from '../ui/dropdown-menu.tsx';
import { Initials } from '../ui/initials.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useSignOut } from './sign-out.ts';

export function UserMenu() {
  const user = useUser();
  const name = displayName(user);
  const hasProfile = usePathExists('/change-password');
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const signOut = useSignOut();
  return (
    <>
      <DropdownMenu
        trigger={
          <button
            type="button"
            aria-label={`${name}: account`}
            className="flex min-h-12 items-center gap-2 rounded-md px-1 hover:bg-sunk"
          >
            <Initials name={name} />
            <ChevronDown aria-hidden="true" className="size-5 max-sm:hidden" />
          </button>
        }
      >
        {hasProfile && (
          <MenuLink href="/change-password" icon={<UserRound aria-hidden="true" />}>
            Profile
          </MenuLink>
        )}
        <MenuItem icon={<Settings aria-hidden="true" />} onSelect={() => setIsSettingsOpen(true)}>
          Settings
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={() => signOut.mutate()}>
          Logout
        </MenuItem>
      </DropdownMenu>
      <SettingsDialog isOpen={isSettingsOpen} onOpenChange={setIsSettingsOpen} />
    </>
  );
}
