import { useState } from 'react';
import { useFragmentToken } from '../../../platform/web/link-token.ts';
import { lazyPart, usePart } from '../../../platform/web/lazy-page.ts';
import { useSettings } from '../../../platform/web/page-data.ts';
import { Spinner } from '../../../platform/web/ui/spinner.tsx';
import { usePasskeysWork } from '../../passkeys/web/passkeys-work.ts';
import { SignInForm } from './sign-in-form.tsx';
import { type Credentials, type OneTime, type Way, WAYS } from './ways.ts';

const OtherWay = lazyPart(() => import('./other-way.tsx'));

/** The form for name and password, and in its place, once asked for, the ways that need no typing of one. */
export function SignInWays() {
  const fragment = useFragmentToken();
  return <Ways key={fragment} brought={givenBy(fragment)} />;
}

/** @param props.brought by the address */
function Ways({ brought }: { brought: OneTime | null }) {
  const [given, setGiven] = useState(brought);
  const [way, setWay] = useState<Way | null>(brought?.kind ?? null);
  const [last, setLast] = useState<Way | null>(null);
  const [credentials, setCredentials] = useState<Credentials | null>(null);
  const [name, setName] = useState('');
  const choose = (chosen: Way) => {
    setName(document.querySelector<HTMLInputElement>('[name=username]')?.value ?? '');
    setWay(chosen);
    setLast(chosen);
  };
  const goBack = () => {
    setWay(null);
    setGiven(null);
    setCredentials(null);
  };
  return (
    <>
      <div hidden={way !== null}>
        <SignInForm
          onPasskeyAskedFor={(sent) => {
            setCredentials(sent);
            setWay('passkey');
          }}
        />
        <OtherWays last={way === null ? last : null} onChoose={choose} />
      </div>
      {way && <InPlace {...{ way, given, credentials, name }} onBack={goBack} />}
    </>
  );
}

function OtherWays({ last, onChoose }: { last: Way | null; onChoose: (way: Way) => void }) {
  const { sendsMail } = useSettings();
  const isOffered = { link: sendsMail, code: true, passkey: usePasskeysWork() };
  return (
    <ul aria-label="Other ways to sign in" className="mt-3 flex flex-wrap gap-x-6 border-t border-line pt-3">
      {(Object.keys(WAYS) as Way[]).map(
        (way) =>
          isOffered[way] && (
            <li key={way}>
              <button
                // Back from that way, focus is where it was.
                key={String(last === way)}
                type="button"
                autoFocus={last === way}
                onClick={() => onChoose(way)}
                className="link min-h-11 text-sm"
              >
                {WAYS[way]}
              </button>
            </li>
          ),
      )}
    </ul>
  );
}

type InPlaceProps = {
  way: Way;
  given: OneTime | null;
  credentials: Credentials | null;
  name: string;
  onBack: () => void;
};

function InPlace(props: InPlaceProps) {
  const { Part, hasFailed, isTrying, tryAgain } = usePart(OtherWay);
  if (Part) return <Part {...props} />;
  return (
    <div role="status" className="flex min-h-40 flex-wrap items-center justify-center gap-3 pt-7">
      {isTrying ? <Spinner /> : null}
      {isTrying ? 'One moment …' : 'This part of the page could not be loaded.'}
      {hasFailed && !isTrying && (
        <button type="button" onClick={tryAgain} className="link min-h-11">
          Try again
        </button>
      )}
      <button type="button" onClick={props.onBack} className="link min-h-11">
        Back
      </button>
    </div>
  );
}

function givenBy(fragment: string): OneTime | null {
  const [kind, token = ''] = fragment.split('=');
  return (kind === 'link' || kind === 'code') && token ? { kind, token } : null;
}
