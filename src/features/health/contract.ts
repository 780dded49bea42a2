import { z } from 'zod';
import { endpoint } from '../../platform/contract/endpoint.ts';

export const healthApi = {
  alive: endpoint({
    method: 'GET',
    path: '/api/health',
    access: 'public',
    needsNoDatabase: true,
    summary: 'The process is up.',
    answers: { 200: z.object({ status: z.literal('ok') }) },
  }),
  ready: endpoint({
    method: 'GET',
    path: '/api/ready',
    access: 'public',
    needsNoDatabase: true,
    summary: 'Database and media store answer.',
    answers: { 200: z.object({ status: z.literal('ready') }) },
    refusals: { 503: 'One of them does not' },
  }),
  openApi: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'public',
    needsNoDatabase: true,
    summary: 'This document.',
    answers: { 200: z.record(z.string(), z.unknown()) },
  }),
};
