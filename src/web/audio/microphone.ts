import { setPlayAndRecordUntilEnd } from './audio-session.ts';
import type { CaptureCommand, CaptureMessage, CaptureOptions } from './capture.ts';
import type { RecorderEnvironment } from './recorder-environment.ts';
import type { ResourceScope } from '../api/resource-scope.ts';

/** Reason that recording is impossible. */
export type MicrophoneProblem =
  /** The page is not secure (https or localhost), so the browser hides its microphone. */
  | 'insecure'
  /** The browser cannot record at all, or failed for an unknown reason. */
  | 'unsupported'
  /** The user, or an earlier setting, denied access. */
  | 'refused'
  | 'no-microphone'
  /** Another program is using the microphone, or the system could not start it. */
  | 'in-use'
  /** The audio thread did not load our code, or crashed. */
  | 'worklet';

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem, cause?: unknown) {
    super(`The microphone cannot be used: ${problem}.`, { cause });
    this.problem = problem;
  }
}

export type Microphone = {
  command(command: CaptureCommand): void;
  /**
   * Tries to restore the sound after the system stopped it. If possible, call it from a tap handler, because
   * some browsers start audio only there.
   */
  wake(): void;
};

export type MicrophoneEvents = {
  onMessage(message: CaptureMessage): void;
  /**
   * Called once the microphone is open, and whenever `muted` or `interrupted` may have changed. `muted`: the
   * system or a switch mutes the microphone. `interrupted`: the system suspends all audio, for example during
   * a call.
   */
  onInterruption(hindrance: { muted: boolean; interrupted: boolean }): void;
  /** Called when the microphone was unplugged or is lost for good. */
  onLost(): void;
  /** Called when the audio thread has crashed. */
  onBroken(): void;
};

/** Time to wait for the audio context to start before reporting an interruption. */
const START_TIMEOUT_MS = 1_500;

/**
 * Requests the microphone and routes its sound through the capture worklet, at the device's own rate.
 *
 * Stream, context and listeners belong to `scope`: when it ends, the microphone is released, even if the user
 * answers the browser's prompt later (the promise then resolves to null).
 * @throws MicrophoneError
 */
export async function openMicrophone(
  environment: RecorderEnvironment,
  options: CaptureOptions & { processing: boolean },
  scope: ResourceScope,
  events: MicrophoneEvents,
): Promise<Microphone | null> {
  const { mediaDevices, AudioContext, AudioWorkletNode } = environment;
  if (!environment.isSecureContext || !mediaDevices) throw new MicrophoneError('insecure');
  if (!AudioContext || !AudioWorkletNode) throw new MicrophoneError('unsupported');

  setPlayAndRecordUntilEnd(environment.audioSession, scope);
  const stream = await requestStream(mediaDevices, options.processing);
  scope.own(() => stream.getTracks().forEach((track) => track.stop()));
  const [track] = stream.getAudioTracks();
  if (scope.ended) return null;
  if (!track) throw new MicrophoneError('no-microphone');

  try {
    // Creates the context after the microphone has opened, because iOS may change the device's sample rate at
    // that moment, and an existing context would keep the old rate.
    const context = new AudioContext();
    scope.own(() => void context.close().catch(() => undefined));
    await context.audioWorklet.addModule(environment.workletUrl);
    if (scope.ended) return null;

    const node = new AudioWorkletNode(context, 'capture', {
      numberOfInputs: 1,
      numberOfOutputs: 1,
      processorOptions: {
        maxFrames: options.maxFrames,
        startsPaused: options.startsPaused ?? false,
      } satisfies CaptureOptions,
    });
    node.port.onmessage = ({ data }: MessageEvent<CaptureMessage>) => events.onMessage(data);
    scope.own(() => {
      node.port.onmessage = null;
      node.port.close();
    });
    scope.listen(node, 'processorerror', () => events.onBroken());

    await waitForStart(context, scope);
    if (scope.ended) return null;
    if (track.readyState === 'ended') throw new MicrophoneError('no-microphone');

    const wake = () => {
      if (context.state !== 'running') void context.resume().catch(() => undefined);
    };
    const report = () =>
      events.onInterruption({ muted: track.muted, interrupted: context.state !== 'running' });
    scope.listen(track, 'mute', report);
    scope.listen(track, 'unmute', report);
    scope.listen(track, 'ended', () => events.onLost());
    scope.listen(context, 'statechange', () => {
      wake();
      report();
    });
    scope.listen(environment.document, 'visibilitychange', wake);

    // Connects the worklet's output, although it is silent, so that every browser runs the worklet.
    const source = context.createMediaStreamSource(stream);
    source.connect(node).connect(context.destination);
    scope.own(() => {
      source.disconnect();
      node.disconnect();
    });
    report();
    return { command: (command) => node.port.postMessage(command), wake };
  } catch (error) {
    throw error instanceof MicrophoneError ? error : new MicrophoneError('worklet', error);
  }
}

async function requestStream(
  mediaDevices: Pick<MediaDevices, 'getUserMedia'>,
  processing: boolean,
): Promise<MediaStream> {
  try {
    return await mediaDevices.getUserMedia({
      audio: {
        // Off by default, because these filters are made for phone calls: they mistake a sustained note for
        // noise and reduce it by 19 dB.
        echoCancellation: processing,
        noiseSuppression: processing,
        autoGainControl: processing,
        channelCount: 1,
      },
    });
  } catch (error) {
    throw new MicrophoneError(classifyProblem(error), error);
  }
}

function classifyProblem(error: unknown): MicrophoneProblem {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'refused';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'no-microphone';
    case 'NotReadableError':
    case 'AbortError':
      return 'in-use';
    default:
      return 'unsupported';
  }
}

/**
 * Starts the context, and waits until it runs, for at most START_TIMEOUT_MS. Safari starts it only on request.
 * Without any sound device, it never starts.
 */
async function waitForStart(context: AudioContext, scope: ResourceScope): Promise<void> {
  await new Promise<void>((done) => {
    scope.own(done);
    scope.after(START_TIMEOUT_MS, done);
    context.resume().then(done, done);
  });
}
