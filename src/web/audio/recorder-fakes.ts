import type { CaptureCommand, CaptureMessage, CaptureOptions } from './capture.ts';
import { CAPTURE_BLOCK_FRAMES } from './recording-format.ts';
import type { RecorderEnvironment } from './recorder-environment.ts';

/**
 * Creates a fake browser for tests of the recorder: a microphone to mute and unplug, a context to interrupt, and an
 * audio thread that delivers blocks on demand.
 */
export function createFakeRecorderBrowser() {
  const document: EventTarget & { visibilityState: DocumentVisibilityState } = Object.assign(
    new EventTarget(),
    {
      visibilityState: 'visible' as const,
    },
  );
  const contexts: FakeContext[] = [];
  const nodes: FakeNode[] = [];
  const locks: { released: boolean }[] = [];
  const asked: MediaStreamConstraints[] = [];

  const browser = {
    track: new FakeTrack(),
    document,
    contexts,
    nodes,
    locks,
    asked,
    /** The response of the user or the system to `getUserMedia`; a test may replace it. */
    answer: (): Promise<unknown> => Promise.resolve(browser.stream()),
    stream() {
      if (browser.track.readyState === 'ended') browser.track = new FakeTrack();
      const track = browser.track;
      return { getTracks: () => [track], getAudioTracks: () => [track] };
    },
    get context(): FakeContext {
      return contexts.at(-1)!;
    },
    get node(): FakeNode {
      return nodes.at(-1)!;
    },
    environment: undefined as unknown as RecorderEnvironment,
  };

  browser.environment = {
    isSecureContext: true,
    mediaDevices: {
      getUserMedia: (constraints) => {
        asked.push(constraints ?? {});
        return browser.answer() as Promise<MediaStream>;
      },
    },
    AudioContext: class extends FakeContext {
      constructor() {
        super();
        contexts.push(this);
      }
    } as unknown as NonNullable<RecorderEnvironment['AudioContext']>,
    AudioWorkletNode: class extends FakeNode {
      constructor(_: unknown, __: string, options: { processorOptions: CaptureOptions }) {
        super(options.processorOptions);
        nodes.push(this);
      }
    } as unknown as NonNullable<RecorderEnvironment['AudioWorkletNode']>,
    audioSession: undefined,
    wakeLock: {
      request: () => {
        const lock = { released: false, release: () => Promise.resolve(void (lock.released = true)) };
        locks.push(lock);
        return Promise.resolve(lock as unknown as WakeLockSentinel);
      },
    },
    document,
    workletUrl: '/capture.js',
  };
  return browser;
}

/** Counts its listeners, so that a test can check that none is left behind. */
class CountingTarget extends EventTarget {
  listeners = 0;

  override addEventListener(...parameters: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...parameters);
  }

  override removeEventListener(...parameters: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...parameters);
  }

  say(type: string): void {
    this.dispatchEvent(new Event(type));
  }
}

class FakeTrack extends CountingTarget {
  muted = false;
  readyState: MediaStreamTrackState = 'live';
  stopped = 0;

  stop(): void {
    this.stopped += 1;
    this.readyState = 'ended';
  }

  mute(muted: boolean): void {
    this.muted = muted;
    this.say(muted ? 'mute' : 'unmute');
  }

  unplug(): void {
    this.readyState = 'ended';
    this.say('ended');
  }
}

class FakeContext extends CountingTarget {
  state: AudioContextState = 'suspended';
  resumed = 0;
  readonly destination = {};
  readonly audioWorklet = { addModule: (): Promise<void> => Promise.resolve() };

  createMediaStreamSource() {
    return { connect: (node: FakeNode) => node, disconnect: () => undefined };
  }

  resume(): Promise<void> {
    this.resumed += 1;
    this.state = 'running';
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.state = 'closed';
    return Promise.resolve();
  }

  become(state: AudioContextState): void {
    this.state = state;
    this.say('statechange');
  }
}

class FakeNode extends CountingTarget {
  readonly commands: CaptureCommand[] = [];
  readonly maxFrames: number;
  readonly startsPaused: boolean;
  /** Whether the node responds to a flush. An interrupted audio thread does not. */
  awake = true;
  frames = 0;
  rest = 0;
  readonly port = {
    onmessage: null as ((event: { data: CaptureMessage }) => void) | null,
    closed: false,
    close: () => void (this.port.closed = true),
    postMessage: (command: CaptureCommand) => {
      this.commands.push(command);
      if (command !== 'flush' || !this.awake) return;
      if (this.rest > 0) this.hear(this.rest);
      this.post({ type: 'end', because: 'flush', frames: this.frames });
    },
  };

  constructor({ maxFrames, startsPaused = false }: CaptureOptions) {
    super();
    this.maxFrames = maxFrames;
    this.startsPaused = startsPaused;
  }

  connect(): this {
    return this;
  }

  disconnect(): void {}

  /** Delivers one block of constant amplitude, by default half of full scale. */
  hear(frames = CAPTURE_BLOCK_FRAMES, height = 16_384): void {
    this.frames += frames;
    this.post({ type: 'block', samples: new Int16Array(frames).fill(height), peak: height / 32_768 });
  }

  /** Delivers blocks until the audio thread reaches the limit and ends by itself. */
  hearToTheEnd(): void {
    while (this.frames < this.maxFrames)
      this.hear(Math.min(CAPTURE_BLOCK_FRAMES, this.maxFrames - this.frames));
    this.post({ type: 'end', because: 'limit', frames: this.frames });
  }

  post(message: CaptureMessage): void {
    this.port.onmessage?.({ data: message });
  }
}
