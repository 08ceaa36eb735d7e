import type { status } from '@grpc/grpc-js'

/** A gRPC status instead of an answer. */
interface Refusal {
  code: status
  message: string
}

/** Faults that a test may change at any time. */
export interface Faults {
  /** Delay of every answer of the API. */
  latencyMs: number
  /** Share of events that are never sent, 0 to 1. */
  eventLossRate: number
  /** Share of events that are sent twice, 0 to 1. */
  duplicateRate: number
  /** Delay of `up` events, which ChirpStack sends beside its further work and does not wait for. */
  uplinkEventDelayMs: number
  /** From an uplink to the look into the queue; ChirpStack's own by default, chirpstack/src/config.rs. */
  downlinkDelayMs: number
  /** From the frame's way to the gateway to the gateway's report of it. */
  gatewayDelayMs: number
  /** Gateways report TOO_LATE: they send nothing. */
  isGatewayLate: boolean
  /** Share of downlinks that the device does not hear, 0 to 1. */
  downlinkLossRate: number
  /**
   * By path of the method, such as `/api.DeviceService/Create`; called once for each call, which
   * waits for what it promises.
   */
  refusals: Record<string, Refusal | (() => Refusal | undefined | Promise<undefined>)>
  /** Answers nothing but UNAVAILABLE and sends no events. */
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
    refusals: {},
    isAway: false,
  }
}
