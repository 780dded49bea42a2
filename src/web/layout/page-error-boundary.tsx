import { Component, type ReactNode, useState } from 'react';
import { classifyError, getErrorMessage } from '../api/call.ts';
import { Button } from '../ui/button.tsx';
import { Lotus } from '../ui/lotus.tsx';

type State = { error: unknown };

/** Shows a plain message and a reload button when a page fails to render. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : <Failure error={error} />;
  }
}

function Failure({ error }: { error: unknown }) {
  const failure = classifyError(error);
  const isFault = failure !== 'no-answer' && failure !== 'refused';
  const [isTrying, setIsTrying] = useState(false);
  const [isStillGone, setIsStillGone] = useState(false);

  const tryAgain = async () => {
    setIsTrying(true);
    // Checks the connection first. Reloading without one would replace the app with the browser's own error
    // page.
    const isReachable = await fetch('/api/health').then(
      () => true,
      () => false,
    );
    if (isReachable) return location.reload();
    setIsTrying(false);
    setIsStillGone(true);
  };

  return (
    <div
      role="alert"
      className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-center justify-center p-6 text-center"
    >
      <Lotus className="mb-6 w-20 text-saffron" />
      <h1 className="text-2xl">{isFault ? 'Something went wrong here' : 'This page could not be loaded'}</h1>
      <p className="mt-2 mb-6 text-soft">
        {isFault
          ? 'Something unexpected happened. Reloading usually helps.'
          : failure === 'refused'
            ? getErrorMessage(error, 'The server isn’t responding. Please try again in a moment.')
            : 'Your connection may be poor.'}
      </p>
      <Button variant="primary" busy={isTrying} onClick={() => void tryAgain()}>
        {isFault ? 'Reload the page' : 'Try again'}
      </Button>
      {isStillGone && <p className="mt-4 text-sm font-semibold text-danger">Still no connection.</p>}
    </div>
  );
}
