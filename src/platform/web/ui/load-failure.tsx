import { sentenceOf } from '../call.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type LoadFailureProps = {
  /** 'The users could not be loaded.' */
  sentence: string;
  error: unknown;
  isTrying: boolean;
  onTryAgain: () => void;
};

/** Stands where data should be: what happened, and a way to ask again without leaving the page. */
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
