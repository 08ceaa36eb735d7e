import { once } from 'node:events'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import type { People } from './oidc-provider.ts'

/** The process of `oidc-provider.ts`. */

interface Begin {
  port: number
  issuer: string
  clientSecret: string
  redirectUris: string[]
  people: People
}

const [begin] = (await once(process, 'message')) as [Begin]
let people = begin.people

const provider = new Provider(begin.issuer, {
  clients: [
    {
      client_id: 'fleet',
      client_secret: begin.clientSecret,
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: begin.redirectUris,
      post_logout_redirect_uris: begin.redirectUris.map((uri) => uri.replace(/sign-on$/, 'login')),
    },
  ],
  claims: {
    openid: ['sub', 'groups', 'amr', 'acr'],
    email: ['email', 'email_verified'],
    profile: ['name', 'given_name', 'family_name'],
  },
  // As Keycloak, Entra ID and Google: what the scopes ask for is in the ID token too.
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  ttl: {
    AuthorizationCode: 60,
    Interaction: 600,
    Session: 600,
    Grant: 600,
    IdToken: 600,
    AccessToken: 600,
  },
  cookies: { keys: ['only for tests'] },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, id) => {
    const claims = people[id]
    return claims && { accountId: id, claims: async () => ({ sub: id, ...claims }) }
  },
})

process.on('message', (message: { people: People }) => {
  people = message.people
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
createServer(provider.callback()).listen(begin.port, '127.0.0.1', () => process.send?.('ready'))
