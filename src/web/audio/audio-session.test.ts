import { expect, test, vi } from 'vitest';
import { createResourceScope } from '../api/resource-scope.ts';
import { type AudioSession, setPlayAndRecordUntilEnd } from './audio-session.ts';
import { createFakeRecorderBrowser } from './recorder-fakes.ts';
import { createRecorder } from './recorder.ts';

/** Fakes an iPhone's audio session, and logs the order in which the session and the microphone are used. */
function aPhone() {
  const browser = createFakeRecorderBrowser();
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

test('the audio session is set before the microphone opens and reset after it closes', async () => {
  const { browser, order } = aPhone();
  const recorder = createRecorder({ environment: browser.environment });
  expect(order).toEqual([]);
  recorder.start();
  await vi.waitFor(() => expect(recorder.get().state).toBe('recording'));
  browser.node.hear();
  recorder.stop();
  expect(order).toEqual(['play-and-record', 'microphone asked for', 'microphone let go', 'playback']);
});

test('the audio session returns to playback if the microphone is denied', async () => {
  const { browser, audioSession } = aPhone();
  browser.answer = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  const recorder = createRecorder({ environment: browser.environment });
  recorder.start();
  await vi.waitFor(() => expect(recorder.get().state).toBe('failed'));
  expect(audioSession.type).toBe('playback');
});

test('the audio session stays in recording mode until the last of two recordings ends', () => {
  const { audioSession } = aPhone();
  const [first, second] = [createResourceScope(), createResourceScope()];
  setPlayAndRecordUntilEnd(audioSession, first);
  setPlayAndRecordUntilEnd(audioSession, second);
  first.end();
  expect(audioSession.type).toBe('play-and-record');
  second.end();
  expect(audioSession.type).toBe('playback');
});

test('recording works in a browser without audio sessions', async () => {
  const browser = createFakeRecorderBrowser();
  const recorder = createRecorder({ environment: browser.environment });
  recorder.start();
  await vi.waitFor(() => expect(recorder.get().state).toBe('recording'));
  recorder.destroy();
});
