import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Check } from 'lucide-react';
import { createApiQuery } from '#web/api/query-client.ts';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { EditStudentButton } from '#features/people/profile/web/edit-student-button.tsx';
import { StudentExportButton } from '#features/people/profile/web/student-export-button.tsx';
import { StudentSignInHelp } from '#features/accounts/sign-in/web/student-sign-in-help.tsx';
import type { ListedUser } from '../contract.ts';
import { UserFacts, NewPasswordButton } from './user-facts.tsx';
import { updateCachedUser, useListedUser } from './listed-users.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { useIsWideScreen } from './user-row.tsx';
import { EmailNewPasswordButton } from './bulk-user-actions.tsx';
import { UserActions } from './user-actions.tsx';
import { RoleBadge, AccountStatusBadge } from './user-badges.tsx';
import { type ReactNode, useState } from 'react';
import { getErrorMessage } from '#web/api/call.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { getLevelAccessFailureTitle, useLevelAccessChange } from './use-access-change.ts';

type UserDetailsPanelProps = {
  selectedId: string | null;
  onBack: () => void;
  onDelete: (user: ListedUser) => void;
};

export function UserDetailsPanel({ selectedId, onBack, onDelete }: UserDetailsPanelProps) {
  return (
    <section aria-label="Selected user">
      {selectedId !== null && (
        <Button variant="quiet" icon={<ArrowLeft />} onClick={onBack} className="-ms-3 mb-2 lg:hidden">
          Back to all users
        </Button>
      )}
      <Card>
        {selectedId === null ? (
          <EmptyPanel>Select a user to see their transmission levels.</EmptyPanel>
        ) : (
          <SelectedUser id={selectedId} onDelete={onDelete} />
        )}
      </Card>
    </section>
  );
}

function SelectedUser({ id, onDelete }: { id: string; onDelete: (user: ListedUser) => void }) {
  const ownId = useUser().id;
  const isWide = useIsWideScreen();
  const listed = useListedUser(id);
  const { data: user, error } = listed;
  if (error?.status === 404) return <EmptyPanel>This user doesn’t exist anymore.</EmptyPanel>;
  if (user) {
    return (
      <>
        <UserIdentity user={user}>
          {/* Not needed on wide screens, where each row of the list has these buttons. */}
          {!isWide && user.id !== ownId && <UserActions user={user} onDelete={onDelete} />}
        </UserIdentity>
        {user.role === 'student' && <UserFacts user={user} />}
        {user.role === 'admin' ? <AllLevelsNotice /> : <StudentLevels user={user} />}
        {user.role === 'student' && (
          // Not a Disclosure, because a new password on display must survive collapsing.
          <details className="mt-5 border-t border-line pt-2 [&>summary+section]:mt-0 [&>summary+section]:border-0 [&>summary+section]:pt-2">
            <summary className="min-h-11 cursor-pointer py-2 text-sm font-semibold text-lapis">
              Sign-in help and downloads
            </summary>
            <StudentSignInHelp student={user}>
              {user.isActive && (
                <>
                  <EmailNewPasswordButton user={user} />
                  <NewPasswordButton user={user} />
                </>
              )}
            </StudentSignInHelp>
            <DownloadSection user={user} />
          </details>
        )}
      </>
    );
  }
  if (!error) return <SkeletonList label="Loading the user..." className="gap-3" itemClassName="h-12" />;
  return <LoadFailure sentence="Couldn’t load this user." of={listed} />;
}

const EmptyPanel = ({ children }: { children: string }) => (
  <p className="py-6 text-center text-soft">{children}</p>
);

const UserIdentity = ({ user, children }: { user: ListedUser; children: ReactNode }) => (
  <div className="mb-5 border-b border-line pb-5">
    <h2 dir="auto" tabIndex={-1} className="text-2xl break-words">
      {formatDisplayName(user)}
    </h2>
    <p className="mt-1 mb-2 text-sm break-words text-soft">
      {user.username} · {user.email}
    </p>
    <div className="flex flex-wrap gap-2">
      <RoleBadge role={user.role} />
      <AccountStatusBadge isActive={user.isActive} />
    </div>
    {user.role === 'student' && <EditStudentButton student={user} onChanged={updateCachedUser} />}
    {children}
  </div>
);

const DownloadSection = ({ user }: { user: ListedUser }) => (
  <section aria-labelledby="everything" className="mt-5 border-t border-line pt-5">
    <h3 id="everything" className="text-xl">
      Recordings and feedback
    </h3>
    <p className="text-sm text-soft">
      Everything from <bdi>{formatDisplayName(user)}</bdi> in one ZIP file.
    </p>
    <StudentExportButton studentId={user.id}>Download everything</StudentExportButton>
  </section>
);

const AllLevelsNotice = () => <Notice isQuiet>Admins have access to all levels by default.</Notice>;

function StudentLevels({ user }: { user: ListedUser }) {
  const levels = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  const access = useQuery(
    createApiQuery('GET /api/admin/users/{id}/transmission-access', { params: { id: user.id } }),
  );
  const failed = [levels, access].find(({ isError, data }) => isError && !data);
  if (failed) {
    return <LoadFailure sentence="Couldn’t load the transmission levels." of={failed} />;
  }
  if (!levels.data || !access.data) return <SkeletonList count={5} className="gap-3" itemClassName="h-12" />;
  const granted = new Set(access.data.map(({ transmissionLevelId }) => transmissionLevelId));
  return (
    <fieldset className="min-w-0">
      <legend className="max-w-full font-serif text-xl wrap-anywhere">Transmission levels</legend>
      <p className="mb-3 text-sm text-soft">Changes save automatically.</p>
      {levels.data.map((level) => (
        <AccessCheckbox key={level.id} user={user} level={level} isGranted={granted.has(level.id)} />
      ))}
    </fieldset>
  );
}

type AccessCheckboxProps = { user: ListedUser; level: Level; isGranted: boolean };

/** Checkbox for one level of a student. It saves immediately and shows the result beside it. */
function AccessCheckbox({ user, level, isGranted }: AccessCheckboxProps) {
  const change = useLevelAccessChange(user.id, level, formatDisplayName(user));
  // While requests are pending, shows the last tick, whatever the outcome of earlier requests.
  const [ticked, setTicked] = useState(isGranted);
  const tick = (isTicked: boolean) => {
    setTicked(isTicked);
    change.mutate(isTicked);
  };
  return (
    <div className="border-t border-line py-1">
      <div className="flex items-start gap-3">
        <Checkbox
          label={level.name}
          hint={level.description}
          checked={change.isPending ? ticked : isGranted}
          onChange={(event) => tick(event.target.checked)}
          className="min-w-0 grow break-words"
        />
        <p role="status" className="flex min-h-11 shrink-0 items-center gap-1.5 text-sm text-soft">
          {change.isPending && (
            <>
              <Spinner /> Saving…
            </>
          )}
          {change.isSuccess && (
            <span className="flex items-center gap-1 text-jade-ink">
              <Check className="size-5" /> Saved
            </span>
          )}
        </p>
      </div>
      {change.isError && (
        <p role="alert" className="ms-9 pb-2 text-sm text-danger">
          <span className="block font-semibold">{getLevelAccessFailureTitle(change.variables)}</span>
          {getErrorMessage(change.error, 'Please try again.')}
        </p>
      )}
    </div>
  );
}
