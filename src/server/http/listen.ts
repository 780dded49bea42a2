import type { FastifyInstance } from 'fastify';

/**
 * Starts accepting requests.
 * @returns the URL
 * @throws Error with a sentence for the operator
 */
export async function startListening(app: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Error(reasons[code]?.(host, port) ?? `It can't listen on port ${port} of ${host}.`, { cause });
  }
}

const describeUnknownHost = (host: string) =>
  `HOST is ${host}, which is not an address of this machine. Set it to one that is, like 127.0.0.1.`;

const reasons: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is already in use, by another Yangchen or another program. Stop that one, or set PORT to another number.`,
  EACCES: (_host, port) =>
    `This user may not use port ${port}. Set PORT to a number above 1023, and put a proxy in front.`,
  EADDRNOTAVAIL: describeUnknownHost,
  ENOTFOUND: describeUnknownHost,
};
