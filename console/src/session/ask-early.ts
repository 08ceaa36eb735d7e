/**
 * Asks for the session before the console itself is loaded, which is some 200 times as large. A
 * script of its own, with no imports. `takeEarlyAnswer` of the client finds the answer.
 */
const base = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''
const address = `${base}/v1/auth/session`
// The page of a link needs none.
if (!location.pathname.startsWith(`${base}/shared/`)) {
  const answer = fetch(address, {
    headers: { accept: 'application/json', 'x-requested-with': 'console' },
    credentials: 'same-origin',
  })
  // Who takes it handles the failure.
  answer.catch(() => undefined)
  Object.assign(globalThis, { earlyAnswer: { address, answer } })
}
