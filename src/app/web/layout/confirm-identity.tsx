import { useEffect } from 'react';
import { lazyPart, usePart } from '#web/navigation/lazy-page.ts';
import { type ProofRequest, useProofRequest } from '#web/api/proof-request.ts';

const ConfirmIdentityDialog = lazyPart(
  () => import('#features/people/profile/web/confirm-identity-dialog.tsx'),
);

/** Shows the dialog that asks users to confirm their identity, when a call requires it. */
export function ConfirmIdentity() {
  const request = useProofRequest();
  return request && <Loaded request={request} />;
}

function Loaded({ request }: { request: ProofRequest }) {
  const { Part, isError } = usePart(ConfirmIdentityDialog);
  useEffect(() => {
    if (isError) request.settle(false);
  }, [isError, request]);
  return Part && <Part request={request} />;
}
