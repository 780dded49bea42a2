import { vi } from 'vitest';

/** A microphone into which somebody sings a sine, until the end of the test. */
export function fakeMicrophone() {
  let volume = 0.5;
  let track: MediaStreamTrack | undefined;
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(() => {
    const context = new AudioContext();
    const voice = new OscillatorNode(context, { frequency: 220 });
    const heard = context.createMediaStreamDestination();
    voice.connect(new GainNode(context, { gain: volume })).connect(heard);
    voice.start();
    const [made] = heard.stream.getAudioTracks();
    const stop = made!.stop.bind(made);
    made!.stop = () => {
      stop();
      void context.close();
    };
    track = made;
    return Promise.resolve(heard.stream);
  });
  return {
    /** How loud the next recording is, of full scale. */
    sing: (loudness: number) => (volume = loudness),
    /** As a headset does. */
    mute() {
      Object.defineProperty(track, 'muted', { value: true });
      track?.dispatchEvent(new Event('mute'));
    },
    unplug: () => track?.dispatchEvent(new Event('ended')),
  };
}
