import { useEffect } from 'react';
import { createLazyComponent, useLazyComponent } from '#web/navigation/lazy-component.ts';
import { type IdentityProofRequest, useIdentityProofRequest } from '#web/api/identity-proof-request.ts';

const ConfirmIdentityDialog = createLazyComponent(
  () => import('#features/people/profile/web/confirm-identity-dialog.tsx'),
);

/** Shows the dialog in which users confirm their identity, if an API call requires it. */
export function LazyConfirmIdentityDialog() {
  const request = useIdentityProofRequest();
  return request && <Loaded request={request} />;
}

function Loaded({ request }: { request: IdentityProofRequest }) {
  const { Part, isError } = useLazyComponent(ConfirmIdentityDialog);
  useEffect(() => {
    if (isError) request.settle(false);
  }, [isError, request]);
  return Part && <Part request={request} />;
}
