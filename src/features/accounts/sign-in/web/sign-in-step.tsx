import { type ReactNode, useEffect, useRef } from 'react';

type SignInStepProps = { title: string; children: ReactNode; onBack: () => void };

/**
 * Step that replaces the sign-in form. Focuses its heading, because the focused element disappears with the
 * form.
 */
export function SignInStep({ title, children, onBack }: SignInStepProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div className="grid gap-5 pt-7">
      <h2 ref={heading} tabIndex={-1} className="text-2xl">
        {title}
      </h2>
      {children}
      <button type="button" onClick={onBack} className="link min-h-11 justify-self-start text-sm">
        Sign in with a password
      </button>
    </div>
  );
}
