import { LogOut, Settings, UserRound } from 'lucide-react';
import { useState } from 'react';
import { usePathExists } from '../existing-paths.ts';
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator } from '../ui/dropdown-menu.tsx';
import { AccountButton } from './account-button.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useSignOut } from './sign-out.ts';

/** Loaded when first opened, and so initially open. */
export default function AccountMenu() {
  const hasProfile = usePathExists('/change-password');
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const signOut = useSignOut();
  // After the menu has closed and returned focus, so that the dialog can return it to the button.
  const openSettings = () => requestAnimationFrame(() => setTimeout(() => setIsSettingsOpen(true)));
  return (
    <>
      <DropdownMenu isInitiallyOpen trigger={<AccountButton />}>
        {hasProfile && (
          <MenuLink href="/change-password" icon={<UserRound aria-hidden="true" />}>
            Profile
          </MenuLink>
        )}
        <MenuItem icon={<Settings aria-hidden="true" />} onSelect={openSettings}>
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
