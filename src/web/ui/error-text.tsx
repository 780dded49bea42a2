import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api/call.ts';

type ErrorTextProps = { children: ReactNode; className?: string | undefined };

/** A short error beside its cause, which interrupts a screen reader. */
export const ErrorText = ({ children, className }: ErrorTextProps) => (
  <p role="alert" className={clsx('text-sm font-semibold text-danger', className)}>
    {children}
  </p>
);

type ChangeFailureProps = {
  of: { error: unknown };
  /** If the server gave no reason: 'This could not be saved. Please try again.' */
  sentence: string;
  className?: string | undefined;
};

/** Shows why a mutation failed, if it has. */
export const ChangeFailure = ({ of: { error }, sentence, className }: ChangeFailureProps) =>
  error !== null && <ErrorText {...{ className }}>{sentenceOf(error, sentence)}</ErrorText>;
