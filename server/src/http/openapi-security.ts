import type { AnyEndpoint, Route } from './endpoint.ts'
import { consoleHeader, sessionCookieName } from './session-cookie.ts'

/** The ways to prove who calls, each enough by itself. */
export function securityOf<S>({ access, endpoint }: Route<S>): Record<string, string[]>[] {
  const own = ownSecurity(endpoint)
  if (own) return [{ [own.name]: [] }]
  return access === 'public' ? [] : [{ token: [] }, { cookie: [], console: [] }]
}

function ownSecurity<S>(endpoint: AnyEndpoint<S>) {
  return endpoint.kind === 'message' ? endpoint.security : undefined
}

export function securitySchemes<S>(
  routes: readonly Route<S>[],
  publicUrl: string,
): Record<string, unknown> {
  const own = routes.flatMap(({ endpoint }) => ownSecurity(endpoint) ?? [])
  const schemes = own.map(({ name, description, scheme }) => [name, { ...scheme, description }])
  return {
    token: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The token of a login, or an API key (`lfc_...`), which needs no `Organization`.',
    },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(publicUrl),
      description: 'The session of a browser (`POST /auth/session`). It needs `console` too.',
    },
    console: {
      type: 'apiKey',
      in: 'header',
      name: consoleHeader.name,
      description: `Always \`${consoleHeader.value}\`. Without it no cookie counts.`,
    },
    ...Object.fromEntries(schemes),
  }
}

/** The same in words. */
export function whoMayCall<S>({ access, endpoint }: Route<S>): string {
  const own = ownSecurity(endpoint)
  if (own) return `Takes no user's token: ${own.description}`
  switch (access) {
    case 'public':
      return 'Takes no token.'
    case 'refresh':
      return 'Takes a token that can still be exchanged, expired or not.'
    case 'token':
      return 'Takes a valid token; no organization.'
    case 'signed-in':
      return 'Any member of the organization may call it.'
    default:
      return `Needs the permission \`${access}\`.`
  }
}
