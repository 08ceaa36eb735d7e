import { z } from 'zod'
import { roleNames } from '../../../lora/roles.ts'

/** What a group of the provider is in an organization. */
const grant = z.strictObject({
  group: z.string().min(1).max(255),
  organization: z.int().min(1),
  role: z.enum(roleNames, { error: `must be one of ${roleNames.join(', ')}` }),
})

export type Grant = z.infer<typeof grant>

/** Sign-on with an OpenID Connect provider, as the settings `SIGN_ON_...` give it. */
export interface SignOnSettings {
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  /** On the button. */
  name: string
  /** The claim that lists the groups of a user. */
  groupsClaim: string
  grants: readonly Grant[]
  /** Whether somebody without a user gets one, if a group gives them a role. */
  makesUsers: boolean
  /** Values of `amr` or `acr` that tell that the provider has checked a second factor. */
  secondFactors: readonly string[]
  /** Who does not own an organization cannot log in with a password. */
  isPasswordForOwnersOnly: boolean
}

const most = 1000

/** Reads a JSON array of grants. Each mistake is worded to follow the setting's name. */
export function readGrants(text: string): { grants: Grant[] } | { mistakes: string[] } {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { mistakes: ['is not valid JSON.'] }
  }
  const result = z.array(grant).max(most).safeParse(json)
  if (result.success) return { grants: result.data }
  const [issue] = result.error.issues
  const at = issue?.path.join('.')
  return {
    mistakes: [
      'must be a list like [{ "group": "fleet", "organization": 1, "role": "viewer" }]' +
        `${at ? `; ${at} is wrong: ${issue?.message}` : ''}.`,
    ],
  }
}
