/** What follows a playing melody knows of its player: where it is, and how to send it elsewhere. */
export type PracticeClock = {
  now(): number /* seconds */;
  isPlaying(): boolean;
  rate(): number;
  subscribe(listener: () => void): () => void;
  seek(seconds: number): void;
  playFrom(seconds: number): void;
  setLoop(a: number, b: number): void;
};
