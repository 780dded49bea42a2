import { createExclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { createPracticePlayer } from './practice-player.ts';
import type { PlayerClock, PlayerAudio } from './player-environment.ts';
import { DEFAULT_PRACTICE_SETTINGS, type PracticeSettings } from './practice-settings.ts';
import type { AudioFileStatus } from './check-audio-file.ts';

type Setup = {
  duration?: number | null;
  realLength?: number;
  practice?: Partial<PracticeSettings>;
  volumeIsFixed?: boolean;
};

/**
 * Creates a player and fake audio that run on the same manual clock, so that tests never wait for real time.
 */
export function createPlayerWithFakes({
  duration = 60,
  realLength = 60,
  practice = {},
  volumeIsFixed = false,
}: Setup = {}) {
  const clock = new FakeClock();
  const audio = new FakeAudio(clock, realLength, volumeIsFixed);
  const connection = new EventTarget();
  const exclusivePlayback = createExclusivePlayback();
  const fakes = {
    clock,
    audio,
    connection,
    exclusivePlayback,
    /** Result of checking the player's file. While it is a pending promise, the player waits for the check. */
    reach: 'there' as AudioFileStatus | Promise<AudioFileStatus>,
    player: undefined as unknown as ReturnType<typeof createPracticePlayer>,
  };
  fakes.player = createPracticePlayer(audio, {
    address: '/api/files/song?type=audio',
    duration,
    practice: { ...DEFAULT_PRACTICE_SETTINGS, ...practice },
    environment: { clock, connection, exclusivePlayback, checkFile: () => Promise.resolve(fakes.reach) },
  });
  return fakes;
}

/** Lets the handlers of settled promises run. */
export const flushPromises = () => new Promise((resolve) => setTimeout(resolve));

export class FakeClock implements PlayerClock {
  private time = 1_000;
  private timers: { at: number; action: () => void }[] = [];

  now = () => this.time;

  after = (milliseconds: number, action: () => void) => {
    const timer = { at: this.time + milliseconds, action };
    this.timers.push(timer);
    return () => void (this.timers = this.timers.filter((each) => each !== timer));
  };

  get pending(): number {
    return this.timers.length;
  }

  /** Advances the time, firing each timer when it is due. */
  advance(milliseconds: number): void {
    const until = this.time + milliseconds;
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((each) => each !== next);
      this.time = Math.max(this.time, next.at);
      next.action();
    }
    this.time = until;
  }
}

export class FakeAudio extends EventTarget implements PlayerAudio {
  src = '';
  preservesPitch = false;
  defaultPlaybackRate = 1;
  paused = true;
  ended = false;
  seeking = false;
  error: MediaError | null = null;
  listeners = 0;
  loads = 0;
  /** Number of times that playback was started (`plays`), and every position sought (`seeks`). */
  plays = 0;
  readonly seeks: number[] = [];
  /** Name of the error with which `play()` rejects; null if it doesn't reject. */
  refusal: string | null = null;
  /** Whether the element claims to be waiting for data while it plays, as WebKit may after a seek. */
  claimsToWait = false;
  /** Whether the connection delivers data. */
  isFed = true;
  readonly realLength: number;
  private readonly clock: FakeClock;
  private readonly volumeIsFixed: boolean;
  private anchor = { at: 0, position: 0 };
  private actualReadyState = 0;
  private speed = 1;
  private loudness = 1;
  private cancelEnd = () => {};

  constructor(clock: FakeClock, realLength: number, volumeIsFixed: boolean) {
    super();
    this.clock = clock;
    this.realLength = realLength;
    this.volumeIsFixed = volumeIsFixed;
  }

  get readyState(): number {
    return this.claimsToWait ? Math.min(this.actualReadyState, 2) : this.actualReadyState;
  }
  set readyState(to: number) {
    this.actualReadyState = to;
  }

  get duration(): number {
    return this.readyState === 0 ? NaN : this.realLength;
  }

  get volume(): number {
    return this.volumeIsFixed ? 1 : this.loudness;
  }
  set volume(to: number) {
    this.loudness = to;
  }

  get playbackRate(): number {
    return this.speed;
  }
  set playbackRate(to: number) {
    this.moveAnchor(this.currentTime);
    this.speed = to;
    this.watchEnd();
    this.dispatch('ratechange');
  }

  get currentTime(): number {
    const runs = !this.paused && this.actualReadyState >= 3;
    const since = runs ? ((this.clock.now() - this.anchor.at) / 1000) * this.speed : 0;
    return Math.min(this.anchor.position + since, this.realLength);
  }
  set currentTime(to: number) {
    this.seeks.push(to);
    this.ended = false;
    this.moveAnchor(Math.min(to, this.realLength));
    this.watchEnd();
    this.dispatch('seeking');
    this.dispatch('seeked');
  }

  play(): Promise<void> {
    if (this.refusal) return Promise.reject(new DOMException('No', this.refusal));
    this.plays += 1;
    if (this.ended) this.moveAnchor(0);
    this.moveAnchor(this.currentTime);
    this.paused = false;
    this.ended = false;
    this.dispatch('play');
    if (this.isFed) this.feed();
    else this.dispatch('waiting');
    return Promise.resolve();
  }

  /** Simulates data arriving. */
  feed(): void {
    const isFirst = this.readyState === 0;
    this.moveAnchor(this.currentTime);
    this.actualReadyState = 4;
    if (isFirst) this.dispatch('loadedmetadata');
    if (!this.paused) this.dispatch('playing');
    this.watchEnd();
  }

  /** Simulates running out of data. */
  starve(): void {
    this.moveAnchor(this.currentTime);
    this.isFed = false;
    this.actualReadyState = 2;
    this.cancelEnd();
    this.dispatch('waiting');
  }

  /** Simulates running out of data without a `waiting` event. */
  freeze(): void {
    this.moveAnchor(this.currentTime);
    this.actualReadyState = 2;
    this.cancelEnd();
  }

  fail(code: number): void {
    this.moveAnchor(this.currentTime);
    this.actualReadyState = 2;
    this.cancelEnd();
    this.error = { code } as MediaError;
    this.dispatch('error');
  }

  pause(): void {
    if (this.paused) return;
    this.moveAnchor(this.currentTime);
    this.paused = true;
    this.cancelEnd();
    this.dispatch('pause');
  }

  load(): void {
    this.loads += 1;
    this.paused = true;
    this.error = null;
    this.ended = false;
    this.actualReadyState = 0;
    this.cancelEnd();
    this.anchor = { at: this.clock.now(), position: 0 };
    this.speed = this.defaultPlaybackRate;
    this.dispatch('emptied');
  }

  removeAttribute(): void {
    this.src = '';
  }

  override addEventListener(...parameters: Parameters<EventTarget['addEventListener']>): void {
    this.listeners += 1;
    super.addEventListener(...parameters);
  }
  override removeEventListener(...parameters: Parameters<EventTarget['removeEventListener']>): void {
    this.listeners -= 1;
    super.removeEventListener(...parameters);
  }

  /**
   * Simulates WebKit claiming to be waiting after a seek while playback continues. Like browsers, fires
   * `timeupdate` four times a second.
   */
  simulateFalseWaiting(seconds: number): void {
    this.claimsToWait = true;
    this.dispatch('waiting');
    for (let quarters = 0; quarters < seconds * 4; quarters += 1) {
      this.clock.advance(250);
      this.dispatch('timeupdate');
    }
  }

  dispatch(type: string): void {
    this.dispatchEvent(new Event(type));
  }

  private moveAnchor(position: number): void {
    this.anchor = { at: this.clock.now(), position };
  }

  private watchEnd(): void {
    this.cancelEnd();
    if (this.paused || this.actualReadyState < 3) return;
    const left = ((this.realLength - this.currentTime) / this.speed) * 1000;
    this.cancelEnd = this.clock.after(left, () => {
      this.moveAnchor(this.realLength);
      this.paused = true;
      this.ended = true;
      this.dispatch('pause');
      this.dispatch('ended');
    });
  }
}
