import type { MicrophoneProblem as Problem } from '#web/audio/microphone.ts';
import { type BrowserHints, getMicrophonePermissionSteps } from './microphone-permission-steps.ts';
import { MICROPHONE_FAILED_MESSAGE, microphoneAdvice } from './recorder-messages.ts';

/** Shows the error message, and below it what the user can do about the problem in this browser. */
export function MicrophoneProblemNotice({ problem }: { problem: Problem }) {
  return (
    <div className="rounded-md border-s-4 border-danger bg-danger-ground px-4 py-3 text-start text-sm text-danger">
      <p role="alert" className="font-semibold">
        {MICROPHONE_FAILED_MESSAGE}
      </p>
      <p className="mt-1">{microphoneAdvice[problem]}</p>
      {problem === 'refused' && (
        <ol className="mt-2 list-decimal space-y-1 ps-5 text-ink">
          {getMicrophonePermissionSteps(getBrowserHints()).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </div>
  );
}

const getBrowserHints = (): BrowserHints => navigator;
