import {
  ChartNoAxesColumn,
  Download,
  Fingerprint,
  LogOut,
  Settings,
  Smartphone,
  UserRound,
} from 'lucide-react';
import { useState } from 'react';
import { PASSKEYS_ANCHOR } from '#features/accounts/passkeys/limits.ts';
import { usePasskeysSupported } from '#features/accounts/passkeys/web/use-passkeys-supported.ts';
import { useSignInCodeDialog } from '#features/accounts/sign-in/web/use-sign-in-code-dialog.tsx';
import { OWN_DATA_ANCHOR } from '#features/people/profile/limits.ts';
import { useUser } from '#web/api/session.ts';
import { usePathExists } from '#web/navigation/existing-paths.ts';
import {
  DropdownMenu,
  MenuItem,
  MenuLink,
  MenuSeparator,
  type InitialMenuFocus,
} from '#web/ui/dropdown-menu.tsx';
import { AccountButton } from './account-button.tsx';
import { openPracticeLogDialog } from './lazy-practice-log-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { useSignOut } from '#web/layout/sign-out.ts';

/** The account menu. It is mounted when the user first presses the button, so it is open from the start. */
export default function AccountMenu({ initiallyAt }: { initiallyAt: InitialMenuFocus }) {
  const hasProfile = usePathExists('/change-password');
  const { role } = useUser();
  const canUsePasskeys = usePasskeysSupported() && hasProfile;
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const code = useSignInCodeDialog(null);
  const signOut = useSignOut();
  return (
    <>
      <DropdownMenu initiallyAt={initiallyAt} trigger={(props) => <AccountButton {...props} />}>
        {hasProfile && (
          <MenuLink href="/change-password" icon={<UserRound />}>
            Profile
          </MenuLink>
        )}
        <MenuItem icon={<Settings />} onSelect={() => setIsSettingsOpen(true)}>
          Settings
        </MenuItem>
        {role === 'student' && (
          <MenuItem icon={<ChartNoAxesColumn />} onSelect={openPracticeLogDialog}>
            Practice log
          </MenuItem>
        )}
        {canUsePasskeys && (
          <MenuLink href={`/change-password#${PASSKEYS_ANCHOR}`} icon={<Fingerprint />}>
            Passkeys
          </MenuLink>
        )}
        <MenuItem icon={<Smartphone />} onSelect={code.open}>
          Sign in on another device
        </MenuItem>
        {role === 'student' && hasProfile && (
          <MenuLink href={`/change-password#${OWN_DATA_ANCHOR}`} icon={<Download />}>
            Download your data
          </MenuLink>
        )}
        <MenuSeparator />
        <MenuItem icon={<LogOut />} onSelect={() => signOut.mutate()}>
          Logout
        </MenuItem>
      </DropdownMenu>
      {code.dialog}
      <SettingsDialog isOpen={isSettingsOpen} onOpenChange={setIsSettingsOpen} />
    </>
  );
}
