import { sentenceOf } from '../api/call.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type LoadFailureProps = {
  /** 'The users could not be loaded.' */
  sentence: string;
  error: unknown;
  isTrying: boolean;
  onTryAgain: () => void;
};

/** Shown in place of data: what happened, and a button to retry without leaving the page. */
export function LoadFailure({ sentence, error, isTrying, onTryAgain }: LoadFailureProps) {
  return (
    <Notice tone="danger" title={sentence}>
      <p>{sentenceOf(error, 'Something went wrong on the way.')}</p>
      <Button className="mt-3 mb-1" busy={isTrying} onClick={onTryAgain}>
        Try again
      </Button>
    </Notice>
  );
}
