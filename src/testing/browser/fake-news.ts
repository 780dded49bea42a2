let streams: FakeStream[] = [];

class FakeStream {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    streams.push(this);
  }
  close() {
    streams = streams.filter((each) => each !== this);
  }
}

/** Takes the place of the stream of news, which says nothing by itself. */
export function installFakeNews() {
  window.EventSource = FakeStream as unknown as typeof EventSource;
}

/** The page listens for news from some seconds after it was opened. */
export const listensForNews = () => streams.length > 0;

/** Somebody else has changed what these addresses answer. */
export function tellOfChanges(...refreshes: string[]) {
  for (const { onmessage } of streams) onmessage?.({ data: JSON.stringify({ refreshes }) });
}
