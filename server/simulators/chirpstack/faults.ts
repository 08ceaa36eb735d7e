import type { status } from '@grpc/grpc-js'

/** A gRPC status that replaces an answer. */
interface Refusal {
  code: status
  message: string
}

/** Faults that a test can change at any time. */
export interface Faults {
  /** Milliseconds before every answer of the API. */
  latencyMs: number
  /** Share of events that are never sent, 0 to 1. */
  eventLossRate: number
  /** Share of events that are sent twice, 0 to 1. */
  duplicateRate: number
  /**
   * Delay of `up` events. ChirpStack sends them in parallel to its other work and does not wait for
   * them.
   */
  uplinkEventDelayMs: number
  /**
   * Delay from an uplink until the queue is read. The default is ChirpStack's own,
   * chirpstack/src/config.rs.
   */
  downlinkDelayMs: number
  /** Delay from the transmission to the gateway until the gateway's report of it. */
  gatewayDelayMs: number
  /** Gateways report TOO_LATE and send nothing. */
  isGatewayLate: boolean
  /** Share of downlinks that the device does not receive, 0 to 1. */
  downlinkLossRate: number
  /**
   * Answers the first uplink of each session with a frame of its own, as a network does that asks for
   * the state of the battery. It has no event.
   */
  asksAfterJoin: boolean
  /**
   * By path of the method, such as `/api.DeviceService/Create`. A function is called once for each
   * call, and the call waits for its promise.
   */
  refusals: Record<string, Refusal | (() => Refusal | undefined | Promise<undefined>)>
  /** Answers every call with UNAVAILABLE and sends no events. */
  isAway: boolean
}

export function createFaults(): Faults {
  return {
    latencyMs: 0,
    eventLossRate: 0,
    duplicateRate: 0,
    uplinkEventDelayMs: 0,
    downlinkDelayMs: 100,
    gatewayDelayMs: 0,
    isGatewayLate: false,
    downlinkLossRate: 0,
    asksAfterJoin: false,
    refusals: {},
    isAway: false,
  }
}
