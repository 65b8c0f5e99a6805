const key = 'frontpanel token';

/**
 * The token of this page. It comes with the address that the server printed, or is pasted into the form; it leaves the
 * address bar at once and stays with this tab, also when the page is loaded again.
 */
export class SignIn {
  #token = '';

  constructor() {
    this.give(fromAddress() ?? kept());
  }

  get token(): string {
    return this.#token;
  }

  give(token: string): void {
    this.#token = token;
    keep(token);
  }
}

/** In the part that browsers send to nobody, or where older versions printed it. */
function fromAddress(): string | undefined {
  const token = [location.hash.slice(1), location.search]
    .map((part) => new URLSearchParams(part).get('token'))
    .find((each) => each !== null && each !== '');
  if (location.hash !== '' || location.search !== '') history.replaceState(null, '', location.pathname);
  return token ?? undefined;
}

/** Browsers can be told to keep nothing; then it is asked for again. */
function kept(): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function keep(token: string): void {
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // It lasts as long as the page.
  }
}
