import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useUser } from '../../../platform/web/session.ts';
import { LeftOnDevice } from './left-on-device.tsx';
import { sendWaiting, stopSending } from './sending.ts';

/** Beside every page: sends what waits on this device, and says what is left there, but where it is offered. */
export default function StoredTakes() {
  const { id } = useUser();
  useEffect(() => {
    sendWaiting(id);
    return stopSending;
  }, [id]);
  return useLocation()[0] !== '/submit' && <LeftOnDevice />;
}
