export interface NetworkDownlink {
  devEui: string
  /** 1 to 223. */
  fPort: number
  payload: Uint8Array
  confirmed: boolean
}

/** A downlink that waits in the network's queue of a device. */
export interface QueuedDownlink {
  /** The network's own id of the queue item. */
  id: string
  fPort: number
  payload: Uint8Array
  confirmed: boolean
  /** Sent, and waiting for the device's acknowledgement. */
  isPending: boolean
  /**
   * A gateway has it and has not reported that it sent it. Left out if the queue does not hold
   * what a gateway has. Not certain while `DeviceSession.downlinks` is 0.
   */
  isWithGateway?: boolean
}

/** What a device and its network have sent each other since the device joined. */
export interface DeviceSession {
  /** The counter of its uplinks, including those that were not delivered to us. */
  uplinks: number
  /** The number of frames sent to it, as far as the network knows. */
  downlinks: number
  /** It is of class B or C: a downlink may leave the queue at any time. */
  isListening: boolean
  /** A join drops what waits in the queue. Left out if the network does not, or does not say. */
  isDroppedAtJoin?: boolean
}
