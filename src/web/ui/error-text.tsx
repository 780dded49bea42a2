import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { getErrorMessage } from '../api/call.ts';

type ErrorTextProps = { children: ReactNode; className?: string | undefined };

/** A short error beside its cause. It interrupts screen readers. */
export const ErrorText = ({ children, className }: ErrorTextProps) => (
  <p role="alert" className={clsx('text-sm font-semibold text-danger', className)}>
    {children}
  </p>
);

type MutationErrorProps = {
  mutation: { error: unknown };
  /** Fallback if the server gave no reason, for example 'This could not be saved. Please try again.' */
  sentence: string;
  className?: string | undefined;
};

/** Shows why a mutation failed, if it has. */
export const MutationErrorText = ({ mutation: { error }, sentence, className }: MutationErrorProps) =>
  error !== null && <ErrorText {...{ className }}>{getErrorMessage(error, sentence)}</ErrorText>;
