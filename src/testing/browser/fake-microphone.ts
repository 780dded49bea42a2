import { vi } from 'vitest';

/** Replaces the microphone with a fake that delivers a sine, until the end of the test. */
export function fakeMicrophone() {
  let volume = 0.5;
  let track: MediaStreamTrack | undefined;
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(() => {
    const context = new AudioContext();
    const voice = new OscillatorNode(context, { frequency: 220 });
    const destination = context.createMediaStreamDestination();
    voice.connect(new GainNode(context, { gain: volume })).connect(destination);
    voice.start();
    const [made] = destination.stream.getAudioTracks();
    const stop = made!.stop.bind(made);
    made!.stop = () => {
      stop();
      void context.close();
    };
    track = made;
    return Promise.resolve(destination.stream);
  });
  return {
    /** Sets the loudness of the next recording, as a fraction of full scale. */
    sing: (loudness: number) => (volume = loudness),
    /** Mutes the track, as a headset can. */
    mute() {
      Object.defineProperty(track, 'muted', { value: true });
      track?.dispatchEvent(new Event('mute'));
    },
    unplug: () => track?.dispatchEvent(new Event('ended')),
  };
}
