import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { encode } from 'uqr';
import { copyText } from '#web/device/clipboard.ts';
import { type ApiResponse, callApi, getErrorMessage } from '#web/api/call.ts';
import { createApiQuery, refreshQueries } from '#web/api/query-client.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { formatSignInCode } from '../sign-in-code.ts';
import { SIGN_IN_TOKEN_TTL_MINUTES, buildSignInUrl } from '../limits.ts';
import { OTHER_SIGN_IN_METHODS_LABEL, ALTERNATIVE_SIGN_IN_METHOD_LABELS } from './methods.ts';

type SignInCodeDialogProps = {
  /** Student whom the code signs in; null if it is for the user's own account. */
  student: { id: string; name: string } | null;
  onClose: () => void;
};

/** Creates and shows a sign-in code, and revokes it when the dialog is closed. */
export default function SignInCodeDialog({ student, onClose }: SignInCodeDialogProps) {
  // This is a query, so that the dialog creates only one code even if it renders several times. The result is
  // deleted from the cache when the dialog closes.
  const {
    data: made,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['sign-in code', student?.id],
    queryFn: async () => {
      if (!student) return callApi('POST /api/user/sign-in-codes');
      const code = await callApi('POST /api/admin/users/{id}/sign-in-codes', {
        params: { id: student.id },
      });
      refreshQueries(['/api/admin/audit-log']);
      return code;
    },
    gcTime: 0,
  });
  const close = () => {
    // Ignores a failed request. The code then stays valid until it expires, at most SIGN_IN_TOKEN_TTL_MINUTES
    // after its creation.
    if (made)
      void callApi('DELETE /api/user/sign-in-codes/{id}', { params: { id: made.id } }).catch(() => {});
    onClose();
  };
  return (
    <Dialog
      isOpen
      onOpenChange={close}
      title={student ? `Sign-in code for ${student.name}` : 'Sign in on another device'}
      description={
        student
          ? `Only for ${student.name}, on their own device.`
          : 'Don’t share this code. Anyone who has it can sign in as you.'
      }
      actions={
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      {isFetching ? (
        <p role="status" className="flex min-h-72 items-center justify-center gap-3">
          <Spinner /> Creating a code…
        </p>
      ) : (
        <>
          {error && (
            <Notice tone="danger" title="Couldn’t create a code">
              {getErrorMessage(error, 'Please try again.')}
            </Notice>
          )}
          {made && !error && <CodeDisplay key={made.id} made={made} />}
          <NewCodeButton id={error ? undefined : made?.id} make={() => void refetch()} />
        </>
      )}
    </Dialog>
  );
}

type SignInCode = ApiResponse<'POST /api/user/sign-in-codes'>;

const codeStateQuery = (id: number) => createApiQuery('GET /api/user/sign-in-codes/{id}', { params: { id } });

function CodeDisplay({ made: { id, code, validSeconds } }: { made: SignInCode }) {
  const { data, refetch } = useQuery(codeStateQuery(id));
  useEffect(() => {
    const timer = setTimeout(() => void refetch(), validSeconds * 1000);
    return () => clearTimeout(timer);
  }, [validSeconds, refetch]);
  if (data?.state === 'used') return <Notice tone="success">Signed in on the other device.</Notice>;
  if (data?.state === 'ended') return <Notice>This code no longer works.</Notice>;
  const address = buildSignInUrl(location.origin, 'code', code);
  return (
    <div className="grid justify-items-center gap-4 text-center">
      <QrCode text={address} />
      <p className="font-mono text-3xl font-semibold tracking-wider whitespace-nowrap">
        {formatSignInCode(code)}
      </p>
      <p className="text-sm text-soft">
        Point the other device’s camera at this picture. Or open <strong>{location.host}</strong> there, press
        “{OTHER_SIGN_IN_METHODS_LABEL}”, then “{ALTERNATIVE_SIGN_IN_METHOD_LABELS.code}”, and type the code.
        The code works once, for {SIGN_IN_TOKEN_TTL_MINUTES} minutes, as long as you keep this window open.
      </p>
      <CodeLink address={address} />
    </div>
  );
}

/** Shows the code as a link that can be sent to somebody who is not in the room. */
function CodeLink({ address }: { address: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  return (
    <>
      <p ref={shown} className="text-sm break-all">
        {address}
      </p>
      <Button icon={<Copy />} onClick={() => void copyText(address, shown.current).then(setIsCopied)}>
        <span aria-live="polite">{isCopied ? 'Copied' : 'Copy the link'}</span>
      </Button>
    </>
  );
}

function NewCodeButton({ id, make }: { id: number | undefined; make: () => void }) {
  const { data } = useQuery({ ...codeStateQuery(id ?? 0), enabled: id !== undefined });
  if (id !== undefined && data?.state !== 'ended') return null;
  return (
    <Button onClick={make} className="mt-4">
      Create a new code
    </Button>
  );
}

/** QR code. It is dark on light in both themes, because cameras can't read light-on-dark codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for the other device’s camera"
      shapeRendering="crispEdges"
      className="bg-white w-full max-w-60 rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
