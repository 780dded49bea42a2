import { createCapture } from './capture.ts';
import type { CaptureCommand, CaptureMessage, CaptureOptions } from './capture.ts';

// Declares globals of the audio thread, which are missing from TypeScript's DOM library.
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new (options: { processorOptions: CaptureOptions }) => AudioWorkletProcessor,
): void;

/**
 * Runs {@link createCapture} on the audio thread. Its output is silent and is connected only so that the
 * browser keeps calling `process`.
 */
class CaptureProcessor extends AudioWorkletProcessor {
  private readonly capture;

  constructor({ processorOptions }: { processorOptions: CaptureOptions }) {
    super();
    this.capture = createCapture(sampleRate, processorOptions, (message: CaptureMessage) => {
      this.port.postMessage(message, message.type === 'block' ? [message.samples.buffer] : []);
    });
    this.port.onmessage = ({ data }: MessageEvent<CaptureCommand>) => this.capture.command(data);
  }

  process([input = []]: Float32Array[][]): boolean {
    return this.capture.process(input);
  }
}

registerProcessor('capture', CaptureProcessor);
