import { ButtonLink } from '../ui/button.tsx';
import { PlainMessage } from './plain-message.tsx';

export default function NotFoundPage() {
  return (
    <PlainMessage
      title="404 Page Not Found"
      text="Did you forget to add the page to the router?"
      action={<ButtonLink href="/">Back to home</ButtonLink>}
    />
  );
}
