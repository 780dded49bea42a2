import { LogOut, Settings, UserRound } from 'lucide-react';
import { useState } from 'react';
import { usePathExists } from '../existing-paths.ts';
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator, type OpensAt } from '../ui/dropdown-menu.tsx';
import { AccountButton } from './account-button.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useSignOut } from './sign-out.ts';

/** Loaded when first opened, and so initially open. */
export default function AccountMenu({ initiallyAt }: { initiallyAt: OpensAt }) {
  const hasProfile = usePathExists('/change-password');
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const signOut = useSignOut();
  return (
    <>
      <DropdownMenu initiallyAt={initiallyAt} trigger={(props) => <AccountButton {...props} />}>
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
