import { ownerEmail, ownerPassword, type TestAnswer, type TestService } from './service.ts'

/** For tests: a browser with the console open, which keeps the cookie as browsers do. */
export interface TestBrowser {
  /** As `name=value`; undefined without one. */
  cookie: string | undefined
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
    call: async (method, path, { body, headers } = {}) => {
      const sent: Record<string, string | undefined> = {
        'x-requested-with': 'console',
        organization: '1',
        cookie: browser.cookie,
        ...headers,
      }
      const known = Object.entries(sent).filter((entry): entry is [string, string] => !!entry[1])
      const answer = await service.call(method, `/v1${path}`, {
        as: null,
        body,
        headers: Object.fromEntries(known),
      })
      const set = answer.headers['set-cookie']
      if (typeof set === 'string') {
        const [pair = ''] = set.split(';', 1)
        browser.cookie = /=$/.test(pair) ? undefined : pair
      }
      return answer
    },
    logIn: (email = ownerEmail, password = ownerPassword) =>
      browser.call('POST', '/auth/session', { body: { email, password } }),
  }
  return browser
}
