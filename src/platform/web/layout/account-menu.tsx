import { LogOut, Settings, Smartphone, UserRound } from 'lucide-react';
import { useState } from 'react';
import { useCodeDialog } from '../../../features/sign-in/web/show-code.tsx';
import { usePathExists } from '../existing-paths.ts';
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator, type OpensAt } from '../ui/dropdown-menu.tsx';
import { AccountButton } from './account-button.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useSignOut } from './sign-out.ts';

/** Loaded when first opened, and so initially open. */
export default function AccountMenu({ initiallyAt }: { initiallyAt: OpensAt }) {
  const hasProfile = usePathExists('/change-password');
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const code = useCodeDialog(null);
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
        <MenuItem icon={<Smartphone aria-hidden="true" />} onSelect={code.open}>
          Sign in on another device
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={() => signOut.mutate()}>
          Logout
        </MenuItem>
      </DropdownMenu>
      {code.dialog}
      <SettingsDialog isOpen={isSettingsOpen} onOpenChange={setIsSettingsOpen} />
    </>
  );
}
