/** A module of the program as users get it: what tsx makes of the sources is several times slower. `npm run bench` builds those named here. */
export const built = (path: string) => import(new URL(`../../.cache/bench/${path}`, import.meta.url).href);
