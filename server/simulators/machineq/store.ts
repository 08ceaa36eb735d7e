import type { FarAnswer, FarCall } from '../far-call.ts'
import type { FarSide } from '../far-side.ts'

/** A device of the subscriber, with the names of the API. */
export interface DeviceRecord {
  ServiceProfile: string
  DeviceProfile: string
  OutputProfile: string
  ActivationType: 'OTAA' | 'ABP'
  ApplicationKey?: string
  /** Of a device without a join. */
  DevAddr?: string
  NetworkSKey?: string
  ApplicationSKey?: string
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
  /** Tokens that were issued and are still valid. */
  tokens: Set<string>
  outputProfiles: Map<string, OutputProfile>
}

export const serviceProfile = 'sp-1'
export const deviceProfile = 'dp-1'
/** A device of another subscriber. */
export const foreignEui = '00AA0000000000FF'

/** Codes of gRPC, and their statuses in its HTTP gateway. */
const statuses = { 3: 400, 5: 404, 6: 409, 7: 403, 13: 500, 16: 401 } as const

export function refuse(code: keyof typeof statuses, message: string): FarAnswer {
  return { status: statuses[code], body: { code, message, details: [] } }
}

export function ok(body: unknown = { Response: true }): FarAnswer {
  return { status: 200, body }
}

/** The members of a JSON object; none if the body is no object. */
export function membersOf({ body }: FarCall): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
