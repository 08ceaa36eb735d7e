import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarSide } from '../far-side.ts'

/** A device as the subscriber has it, by the names of the API. */
export interface DeviceRecord {
  ServiceProfile: string
  DeviceProfile: string
  OutputProfile: string
  ApplicationKey: string
}

export interface Destination {
  URL: string
  TokenType?: string
  TokenValue?: string
  OutputFormat?: string
  DestinationId: string
}

export interface OutputProfile {
  Id: string
  Name: string
  RestParams: Destination[]
  MqttParams: object[]
  AzureParams: object[]
  AWSParams: object[]
}

export type Side = FarSide<DeviceRecord, never>

export interface Store {
  clientId: string
  clientSecret: string
  /** Those that were given out and still hold. */
  tokens: Set<string>
  outputProfiles: Map<string, OutputProfile>
}

export const serviceProfile = 'sp-1'
export const deviceProfile = 'dp-1'
/** A device of another subscriber. */
export const foreignEui = '00AA0000000000FF'

/** Codes of gRPC, and the statuses that its gateway to HTTP has for them. */
const statuses = { 3: 400, 5: 404, 6: 409, 7: 403, 13: 500, 16: 401 } as const

export function refuse(code: keyof typeof statuses, message: string): FarAnswer {
  return { status: statuses[code], body: { code, message, details: [] } }
}

export function ok(body: unknown = { Response: true }): FarAnswer {
  return { status: 200, body }
}

/** The members of a JSON object; none of anything else. */
export function membersOf({ body }: FarCall): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
