import { expect, test, vi } from 'vitest';
import { createScope } from '../api/scope.ts';
import { type AudioSession, recordUntilEnd } from './audio-session.ts';
import { fakeBrowser } from './recorder-fakes.ts';
import { createRecorder } from './recorder.ts';

/** An iPhone's session, and in which order it and the microphone were used. */
function aPhone() {
  const browser = fakeBrowser();
  const order: string[] = [];
  let type: AudioSession['type'] = 'auto';
  const audioSession: AudioSession = {
    get type() {
      return type;
    },
    set type(next) {
      type = next;
      order.push(next);
    },
  };
  const { answer } = browser;
  browser.answer = () => {
    order.push('microphone asked for');
    return answer();
  };
  const stop = browser.track.stop.bind(browser.track);
  browser.track.stop = () => {
    order.push('microphone let go');
    stop();
  };
  browser.environment = { ...browser.environment, audioSession };
  return { browser, order, audioSession };
}

test('the page records before the microphone is asked for, and plays once it is let go', async () => {
  const { browser, order } = aPhone();
  const recorder = createRecorder({ environment: browser.environment });
  expect(order).toEqual([]);
  recorder.start();
  await vi.waitFor(() => expect(recorder.get().state).toBe('recording'));
  browser.node.hear();
  recorder.stop();
  expect(order).toEqual(['play-and-record', 'microphone asked for', 'microphone let go', 'playback']);
});

test('whoever does not allow the microphone hears as before', async () => {
  const { browser, audioSession } = aPhone();
  browser.answer = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  const recorder = createRecorder({ environment: browser.environment });
  recorder.start();
  await vi.waitFor(() => expect(recorder.get().state).toBe('failed'));
  expect(audioSession.type).toBe('playback');
});

test('while two record, the one that ends does not end the other', () => {
  const { audioSession } = aPhone();
  const [first, second] = [createScope(), createScope()];
  recordUntilEnd(audioSession, first);
  recordUntilEnd(audioSession, second);
  first.end();
  expect(audioSession.type).toBe('play-and-record');
  second.end();
  expect(audioSession.type).toBe('playback');
});

test('a browser without audio sessions records all the same', async () => {
  const browser = fakeBrowser();
  const recorder = createRecorder({ environment: browser.environment });
  recorder.start();
  await vi.waitFor(() => expect(recorder.get().state).toBe('recording'));
  recorder.destroy();
});
