import { signatureOf } from '../../src/networks/aws/signature.ts'
import type { Right } from '../../src/networks/capabilities.ts'
import type { FarAnswer, FarCall } from '../far-call.ts'
import type { NeededRight } from '../far-restrictions.ts'

/** The access key of a simulated AWS account. */
export interface FarAccess {
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** 12 digits. */
  accountNumber: string
}

/** An error in the form of AWS's REST protocols (Smithy, "AWS restJson1 protocol"). */
export function refuseAs(status: number, code: string, message: string): FarAnswer {
  // AWS IoT writes `message`, AWS IoT Wireless writes `Message`. Each client reads its own member.
  return { status, headers: { 'x-amzn-errortype': code }, body: { message, Message: message } }
}

/** The IAM action of each call, by method and route, and the right that needs it. */
export type FarActions = Readonly<Record<string, readonly [action: string, right?: Right]>>

/** The actions for the callback: AWS IoT API reference, CreateTopicRule. */
export const ruleActions: FarActions = {
  'POST /rules/:name': ['iot:CreateTopicRule', 'set_callback'],
  'GET /rules/:name': ['iot:GetTopicRule'],
  'PATCH /rules/:name': ['iot:ReplaceTopicRule', 'set_callback'],
  'DELETE /rules/:name': ['iot:DeleteTopicRule'],
  'POST /destinations': ['iot:CreateTopicRuleDestination', 'set_callback'],
  'GET /destinations': ['iot:ListTopicRuleDestinations'],
  'PATCH /destinations': ['iot:UpdateTopicRuleDestination'],
  'GET /destinations/:arn/:kind/:id': ['iot:GetTopicRuleDestination'],
  'DELETE /destinations/:arn/:kind/:id': ['iot:DeleteTopicRuleDestination'],
}

/** Source of the refusal: IAM user guide, "Troubleshoot access denied error messages". */
export function createRights(actions: FarActions, { accountNumber }: FarAccess) {
  return ({ method, route }: FarCall): NeededRight | undefined => {
    const [action, right] = actions[`${method} ${route}`] ?? []
    if (!right) return undefined
    const user = `arn:aws:iam::${accountNumber}:user/fleet`
    const words = `User: ${user} is not authorized to perform: ${action} because no identity-based policy allows the ${action} action`
    return { right, refusal: refuseAs(403, 'AccessDeniedException', words) }
  }
}

const parts =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/

/** Checks the signature of a call as AWS does. Returns undefined if it is right. */
export function authorizeSigned(call: FarCall, access: FarAccess): FarAnswer | undefined {
  const [, accessKeyId, , region = '', service = '', names = '', signature] =
    parts.exec(call.headers.authorization ?? '') ?? []
  if (accessKeyId === undefined) {
    return refuseAs(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token')
  }
  if (accessKeyId !== access.accessKeyId) {
    const words = 'The security token included in the request is invalid.'
    return refuseAs(403, 'UnrecognizedClientException', words)
  }
  if (region !== access.region) {
    const words = `Credential should be scoped to a valid region, not '${region}'. `
    return refuseAs(403, 'InvalidSignatureException', words)
  }
  const { secretAccessKey } = access
  const time = call.headers['x-amz-date'] ?? ''
  const signing = { accessKeyId, secretAccessKey, region, service, time }
  const headers = Object.fromEntries(
    names.split(';').map((name) => [name, call.headers[name] ?? '']),
  )
  const { method, path, query, text } = call
  if (signatureOf({ method, path, query, headers, body: text }, signing) === signature) return
  const words =
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.'
  return refuseAs(403, 'InvalidSignatureException', words)
}
