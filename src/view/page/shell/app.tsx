import { MachineView } from '../machine/machine-view.tsx';
import { Overview } from '../overview/overview.tsx';
import { isSignedIn, timeline, tokenWanted, watched } from '../store.ts';
import { LiveTimeline } from '../timeline/live-timeline.tsx';
import { Header } from './header.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The page: who may come in, then all machines or one of them. */
export function App() {
  const isAsked = tokenWanted.value !== undefined;
  return (
    <>
      <Header />
      {isAsked && <SignInForm why={tokenWanted.value ?? ''} />}
      {(isSignedIn.value || !isAsked) && <main>{view()}</main>}
    </>
  );
}

function view() {
  if (timeline.value) return <LiveTimeline />;
  return watched.value ? <MachineView /> : <Overview />;
}
