import { useLayoutEffect, useRef } from 'preact/hooks';
import { signIn } from '../session.ts';

/** Asks for the token. */
export function SignInForm({ why }: { readonly why: string }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const give = (event: Event) => {
    event.preventDefault();
    const { current } = field;
    if (!current) return;
    const token = current.value.trim();
    current.value = '';
    signIn(token);
  };
  return (
    <form id="sign-in" aria-labelledby="sign-in-title" onSubmit={give}>
      <h2 id="sign-in-title">Token</h2>
      <p id="sign-in-why" role="alert">
        {why}
      </p>
      <label for="sign-in-token">The server printed one when it started, or its operator gave you one.</label>
      <div class="line">
        <input
          ref={field}
          type="password"
          id="sign-in-token"
          name="token"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          required
        />
        <button type="submit">Continue</button>
      </div>
    </form>
  );
}
