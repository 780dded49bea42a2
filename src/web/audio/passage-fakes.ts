/** A fake audio element that follows the fake clock at its playback rate and loads nothing. */
export class FakeAudio extends EventTarget {
  paused = true;
  playbackRate = 1;
  ended = false;
  #from = 0;
  #since = 0;
  get currentTime() {
    return this.#from + (this.paused ? 0 : ((Date.now() - this.#since) / 1000) * this.playbackRate);
  }
  set currentTime(seconds: number) {
    this.#from = seconds;
    this.#since = Date.now();
    this.dispatchEvent(new Event('seeking'));
    this.dispatchEvent(new Event('seeked'));
  }
  async play() {
    this.#since = Date.now();
    this.paused = false;
    this.dispatchEvent(new Event('play'));
    this.dispatchEvent(new Event('playing'));
  }
  pause() {
    this.#from = this.currentTime;
    this.paused = true;
    this.dispatchEvent(new Event('pause'));
  }
}

/** A fake audio element with a `src`. */
export class FakeAudioWithSource extends FakeAudio {
  preload = 'auto';
  src: string | null = null;
  loads = 0;
  load() {
    this.loads += 1;
  }
  getAttribute() {
    return this.src;
  }
  setAttribute(_: string, value: string) {
    this.src = value;
  }
  removeAttribute() {
    this.src = null;
  }
}
