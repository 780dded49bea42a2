import { clsx } from 'clsx';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ListedUser } from '../contract.ts';
import { UserDetailsPanel } from './user-details-panel.tsx';
import { DeleteUserDialog, type UserDeletionResult } from './delete-user-dialog.tsx';
import { UserList } from './user-list.tsx';

type UserManagementProps = { selectedId: string | null };

/** The list and the details of the selected user: side by side, or one after the other on small screens. */
export function UserManagement({ selectedId }: UserManagementProps) {
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const goBack = useBackToList();
  const [, navigate] = useLocation();
  useFocusOnSelection(selectedId, list, panel);
  const [asked, setAsked] = useState<ListedUser | null>(null);
  const [deletion, setDeletion] = useState<UserDeletionResult | null>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_18rem] lg:items-start xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div ref={list} className={clsx(selectedId !== null && 'max-lg:hidden')}>
        <UserList selectedId={selectedId} deletion={deletion} onDelete={setAsked} />
      </div>
      <div ref={panel} className={clsx('lg:sticky lg:top-6', selectedId === null && 'max-lg:hidden')}>
        <UserDetailsPanel key={selectedId} selectedId={selectedId} onBack={goBack} onDelete={setAsked} />
      </div>
      <DeleteUserDialog
        user={asked}
        onClose={() => setAsked(null)}
        onDone={(done, deletedId) => {
          setDeletion(done);
          if (deletedId !== null && deletedId === selectedId) navigate('/admin/users', { replace: true });
        }}
      />
    </div>
  );
}

/**
 * Returns a function that goes back in the history to the list, whose scroll position is restored. If the
 * details were opened directly by URL, the function opens the list.
 */
function useBackToList() {
  const [, navigate] = useLocation();
  return () => {
    const state: unknown = history.state;
    const cameFromList = typeof state === 'object' && state !== null && 'fromList' in state;
    if (cameFromList) history.back();
    else navigate('/admin/users', { replace: true });
  };
}

// Moves the focus when the selection changes on small screens, where the list and the details replace each
// other.
function useFocusOnSelection(
  selectedId: string | null,
  list: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
) {
  const before = useRef(selectedId);
  useEffect(() => {
    const left = before.current;
    before.current = selectedId;
    if (left === selectedId || isSideBySide()) return;
    if (selectedId !== null) panel.current?.querySelector<HTMLElement>('h2')?.focus();
    else list.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(left ?? '')}"]`)?.focus();
  }, [selectedId, list, panel]);
}

const isSideBySide = () => matchMedia('(min-width: 64rem)').matches;
