import { ownerEmail, ownerPassword, type TestAnswer, type TestService } from './service.ts'

/** For tests: a browser with the console open, which keeps the cookie as browsers do. */
export interface TestBrowser {
  /** The session, as `name=value`; undefined without one. */
  cookie: string | undefined
  /** The same of a single sign-on that is under way. */
  signOnCookie: string | undefined
  call(method: string, path: string, options?: BrowserCall): Promise<TestAnswer>
  logIn(email?: string, password?: string): Promise<TestAnswer>
}

interface BrowserCall {
  body?: unknown
  /** Undefined leaves a header out. */
  headers?: Record<string, string | undefined>
}

export function openBrowser(service: TestService): TestBrowser {
  const browser: TestBrowser = {
    cookie: undefined,
    signOnCookie: undefined,
    call: async (method, path, { body, headers } = {}) => {
      const sent: Record<string, string | undefined> = {
        'x-requested-with': 'console',
        organization: '1',
        cookie: [browser.cookie, browser.signOnCookie].filter(Boolean).join('; '),
        ...headers,
      }
      const known = Object.entries(sent).filter((entry): entry is [string, string] => !!entry[1])
      const answer = await service.call(method, `/v1${path}`, {
        as: null,
        body,
        headers: Object.fromEntries(known),
      })
      for (const set of [answer.headers['set-cookie'] ?? []].flat() as string[]) {
        const [pair = ''] = set.split(';', 1)
        const which = /sign-on=/.test(pair) ? 'signOnCookie' : 'cookie'
        browser[which] = /=$/.test(pair) ? undefined : pair
      }
      return answer
    },
    logIn: (email = ownerEmail, password = ownerPassword) =>
      browser.call('POST', '/auth/session', { body: { email, password } }),
  }
  return browser
}
