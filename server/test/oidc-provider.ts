import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SignOnSettings } from '../src/features/people/sign-on/sign-on-settings.ts'
import { findFreePort } from './port.ts'

/** For tests: a real OpenID Connect provider (npm `oidc-provider`), as a process of its own. */

/** What the provider knows of a person, by the name with which they sign in. */
export type People = Record<string, Record<string, unknown>>

export interface TestProvider {
  settings: SignOnSettings
  /** Replaces everybody that the provider knows. */
  setPeople(people: People): Promise<void>
  /** The provider answers no more, but keeps its connections open. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

export const clientSecret = 'a secret that only the two of them know'

export async function startProvider(
  t: { after(end: () => Promise<void>): unknown },
  {
    redirectUris,
    people = {},
    port: given,
  }: { redirectUris: readonly string[]; people?: People; port?: number },
): Promise<TestProvider> {
  const port = given ?? (await findFreePort())
  const issuer = `http://127.0.0.1:${port}`
  const child = fork(fileURLToPath(new URL('oidc-provider-process.ts', import.meta.url)), {
    // The provider warns of what is for trials only.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const begin = { port, issuer, clientSecret, redirectUris, people }
  child.send(begin)
  await once(child, 'message')
  const provider = {
    settings: {
      issuer,
      clientId: 'fleet',
      clientSecret,
      scopes: 'openid email profile',
      name: 'Harbour Login',
      groupsClaim: 'groups',
      grants: [],
      makesUsers: false,
      secondFactors: ['mfa'],
      isPasswordForOwnersOnly: false,
    },
    async setPeople(changed: People) {
      child.send({ people: changed })
      await once(child, 'message')
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: () => stop(child),
  }
  t.after(provider.stop)
  return provider
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/**
 * Signs a person in at the provider, as a browser does: from the address that the service gives to
 * the one that the provider sends the browser back to, whose query is returned.
 */
export async function signInAtProvider(url: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  let next = { url, form: undefined as Record<string, string> | undefined }
  for (let step = 0; step < 12; step += 1) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form && { method: 'POST', body: new URLSearchParams(next.form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1)
      const at = pair.indexOf('=')
      jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    if (location !== null) {
      const target = new URL(location, next.url)
      if (target.origin !== new URL(url).origin) return target.search.slice(1)
      next = { url: target.href, form: undefined }
      continue
    }
    const page = await response.text()
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!action || !prompt) throw new Error(`${next.url} (${response.status}): ${page}`)
    next = { url: new URL(action, next.url).href, form: { prompt, login, password: 'any' } }
  }
  throw new Error('The provider does not come to an end.')
}
