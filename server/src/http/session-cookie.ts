import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * The session of a browser: its token is in a cookie that no script can read
 * (docs/decisions/0024-the-session-of-a-browser.md).
 */
export interface SessionCookie {
  /** Whether the request is of the console and brings no token of its own. */
  isFromConsole: boolean
  /** The token in the cookie of such a request. */
  token: string | undefined
  /** The browser keeps the token for so many seconds. */
  keep(token: string, seconds: number): void
  /** The browser forgets the token. */
  clear(): void
  /** What the browser keeps of a sign-on that is under way; undefined without one. */
  signOn: string | undefined
  /** The browser keeps that for so many seconds; 0: it forgets it. */
  keepSignOn(value: string, seconds: number): void
}

/** The header of every request with the cookie. Pages of other origins cannot send it. */
export const consoleHeader = { name: 'X-Requested-With', value: 'console' } as const

/** Browsers take a name with `__Host-` only with Secure, Path=/ and no Domain, over TLS. */
export function sessionCookieName(publicUrl: string): string {
  return cookieName('session', publicUrl)
}

function cookieName(name: string, publicUrl: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name
}

/** The token of the cookie, unless the request has an Authorization header or not the console's. */
export function cookieToken(request: FastifyRequest, publicUrl: string): string | undefined {
  return readCookie(request, sessionCookieName(publicUrl))
}

/** The value of a cookie, unless the request has an Authorization header or not the console's. */
function readCookie(request: FastifyRequest, name: string): string | undefined {
  if (!isFromConsole(request)) return undefined
  const start = `${name}=`
  const pairs = request.headers.cookie?.split(';') ?? []
  const value = pairs.map((pair) => pair.trim()).find((pair) => pair.startsWith(start))
  return /^[\w-]{1,512}$/.exec(value?.slice(start.length) ?? '')?.[0]
}

export function sessionCookieOf(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): SessionCookie {
  const signOnName = cookieName('sign-on', publicUrl)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const setCookie = (name: string, value: string, seconds: number) => {
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
    reply.header('set-cookie', `${name}=${value}; ${attributes}`)
  }
  const set = (token: string, seconds: number) =>
    setCookie(sessionCookieName(publicUrl), token, seconds)
  return {
    isFromConsole: isFromConsole(request),
    token: cookieToken(request, publicUrl),
    signOn: readCookie(request, signOnName),
    keepSignOn: (value, seconds) => setCookie(signOnName, value, seconds),
    keep: set,
    clear() {
      set('', 0)
      // What the console keeps of the fleet. Cookies would be those of other services of the domain, too.
      reply.header('clear-site-data', '"cache", "storage"')
    },
  }
}

function isFromConsole({ headers }: FastifyRequest): boolean {
  const sent = headers[consoleHeader.name.toLowerCase()]
  return headers.authorization === undefined && sent === consoleHeader.value
}
