import { Gauge, type Registry } from '@prometheus-io/client';

export type AddGauge = ReturnType<typeof gaugesIn>;

/** Returns a function that adds a gauge with its present value. */
export const gaugesIn = (registry: Registry) => (name: string, help: string, value: number) =>
  new Gauge({ name, help, registers: [registry] }).set(value);
