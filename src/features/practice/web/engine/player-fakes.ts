import { createOnePlaying } from '#web/audio/playback.ts';
import { createPracticePlayer } from './practice-player.ts';
import type { Clock, PlayerAudio } from './player-environment.ts';
import { NEW_PRACTICE, type Practice } from './practice.ts';
import type { Reach } from './reach.ts';

type Setup = {
  duration?: number | null;
  realLength?: number;
  practice?: Partial<Practice>;
  volumeIsFixed?: boolean;
};

/** Creates a player on a manual clock, which also drives the audio, so that tests never wait for real time. */
export function playerWithFakes({
  duration = 60,
  realLength = 60,
  practice = {},
  volumeIsFixed = false,
}: Setup = {}) {
  const clock = new FakeClock();
  const audio = new FakeAudio(clock, realLength, volumeIsFixed);
  const connection = new EventTarget();
  const onePlaying = createOnePlaying();
  const fakes = {
    clock,
    audio,
    connection,
    onePlaying,
    /** Result of the player's check for its file; a pending promise keeps it checking. */
    reach: 'there' as Reach | Promise<Reach>,
    player: undefined as unknown as ReturnType<typeof createPracticePlayer>,
  };
  fakes.player = createPracticePlayer(audio, {
    address: '/api/files/song?type=audio',
    duration,
    practice: { ...NEW_PRACTICE, ...practice },
    environment: { clock, connection, onePlaying, reach: () => Promise.resolve(fakes.reach) },
  });
  return fakes;
}

/** Lets the handlers of settled promises run. */
export const settle = () => new Promise((resolve) => setTimeout(resolve));

export class FakeClock implements Clock {
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
  pass(milliseconds: number): void {
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
  /** Number of times playback was started, and every position sought. */
  plays = 0;
  readonly seeks: number[] = [];
  /** Name of the error with which `play()` rejects. */
  refusal: string | null = null;
  /** Whether the element claims to be waiting while it plays, as WebKit may after a seek. */
  understates = false;
  /** Whether the connection delivers data. */
  isFed = true;
  readonly realLength: number;
  private readonly clock: FakeClock;
  private readonly volumeIsFixed: boolean;
  private anchor = { at: 0, position: 0 };
  private has = 0;
  private speed = 1;
  private loudness = 1;
  private callOffEnd = () => {};

  constructor(clock: FakeClock, realLength: number, volumeIsFixed: boolean) {
    super();
    this.clock = clock;
    this.realLength = realLength;
    this.volumeIsFixed = volumeIsFixed;
  }

  get readyState(): number {
    return this.understates ? Math.min(this.has, 2) : this.has;
  }
  set readyState(to: number) {
    this.has = to;
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
    this.settleAt(this.currentTime);
    this.speed = to;
    this.watchEnd();
    this.say('ratechange');
  }

  get currentTime(): number {
    const runs = !this.paused && this.has >= 3;
    const since = runs ? ((this.clock.now() - this.anchor.at) / 1000) * this.speed : 0;
    return Math.min(this.anchor.position + since, this.realLength);
  }
  set currentTime(to: number) {
    this.seeks.push(to);
    this.ended = false;
    this.settleAt(Math.min(to, this.realLength));
    this.watchEnd();
    this.say('seeking');
    this.say('seeked');
  }

  play(): Promise<void> {
    if (this.refusal) return Promise.reject(new DOMException('No', this.refusal));
    this.plays += 1;
    if (this.ended) this.settleAt(0);
    this.settleAt(this.currentTime);
    this.paused = false;
    this.ended = false;
    this.say('play');
    if (this.isFed) this.feed();
    else this.say('waiting');
    return Promise.resolve();
  }

  /** Simulates data arriving. */
  feed(): void {
    const isFirst = this.readyState === 0;
    this.settleAt(this.currentTime);
    this.has = 4;
    if (isFirst) this.say('loadedmetadata');
    if (!this.paused) this.say('playing');
    this.watchEnd();
  }

  /** Simulates running out of data. */
  starve(): void {
    this.settleAt(this.currentTime);
    this.isFed = false;
    this.has = 2;
    this.callOffEnd();
    this.say('waiting');
  }

  /** Simulates running out of data without a `waiting` event. */
  freeze(): void {
    this.settleAt(this.currentTime);
    this.has = 2;
    this.callOffEnd();
  }

  fail(code: number): void {
    this.settleAt(this.currentTime);
    this.has = 2;
    this.callOffEnd();
    this.error = { code } as MediaError;
    this.say('error');
  }

  pause(): void {
    if (this.paused) return;
    this.settleAt(this.currentTime);
    this.paused = true;
    this.callOffEnd();
    this.say('pause');
  }

  load(): void {
    this.loads += 1;
    this.paused = true;
    this.error = null;
    this.ended = false;
    this.has = 0;
    this.callOffEnd();
    this.anchor = { at: this.clock.now(), position: 0 };
    this.speed = this.defaultPlaybackRate;
    this.say('emptied');
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
   * Simulates claiming to wait after a seek while playback continues. Browsers fire `timeupdate` four times a second.
   */
  waitInWords(seconds: number): void {
    this.understates = true;
    this.say('waiting');
    for (let quarters = 0; quarters < seconds * 4; quarters += 1) {
      this.clock.pass(250);
      this.say('timeupdate');
    }
  }

  say(type: string): void {
    this.dispatchEvent(new Event(type));
  }

  private settleAt(position: number): void {
    this.anchor = { at: this.clock.now(), position };
  }

  private watchEnd(): void {
    this.callOffEnd();
    if (this.paused || this.has < 3) return;
    const left = ((this.realLength - this.currentTime) / this.speed) * 1000;
    this.callOffEnd = this.clock.after(left, () => {
      this.settleAt(this.realLength);
      this.paused = true;
      this.ended = true;
      this.say('pause');
      this.say('ended');
    });
  }
}
