import type { status } from '@grpc/grpc-js'

/** A gRPC status instead of an answer. */
export interface Refusal {
  code: status
  message: string
}

/** What goes wrong, from now on; all of it may be changed at any time. */
export interface Faults {
  /** Delay of every answer of the API. */
  latencyMs: number
  /** Share of events that are never sent, 0 to 1. */
  eventLossRate: number
  /** Share of events that are sent twice, 0 to 1. */
  duplicateRate: number
  /** Share of downlinks that the device does not hear, 0 to 1. */
  downlinkLossRate: number
  /**
   * By path of the method, such as `/api.DeviceService/Create`; called once for each call, which
   * waits for what it promises.
   */
  refusals: Record<string, Refusal | (() => Refusal | undefined | Promise<undefined>)>
  /** As a proxy in front of it limits them; undefined lets all through. */
  callsPerMinute: number | undefined
  /** DevEUIs and gateway IDs, in lower case, about which every call ends in an internal error. */
  failing: Set<string>
  /** Answers nothing but UNAVAILABLE and sends no events. */
  isAway: boolean
}

export function createFaults(): Faults {
  return {
    latencyMs: 0,
    eventLossRate: 0,
    duplicateRate: 0,
    downlinkLossRate: 0,
    refusals: {},
    callsPerMinute: undefined,
    failing: new Set(),
    isAway: false,
  }
}
