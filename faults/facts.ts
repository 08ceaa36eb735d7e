import type { History } from './history.ts'

/** An uplink as the database has it. */
export interface StoredUplink {
  organization: number
  eui: string
  key: string
  ordinal: number
  deviceOrdinal: number
}

/** A downlink as the ledger has it. */
export interface StoredDownlink {
  id: number
  organization: number
  eui: string
  bytes: string
  state: string
  error: string | null
}

/** A device that is not deleted. */
export interface StoredDevice {
  organization: number
  eui: string
  network: string
  status: string
  /** Whether a move of it still goes on. */
  isMoving: boolean
}

/** A message that a receiver of webhooks took, in the order of arrival. */
export interface ReceivedEvent {
  organization: number
  id: string
  type: string
  eui: string
  ordinal: number | undefined
  text: string
}

/** What a simulated network has of a device. */
export interface DeviceAtNetwork {
  organization: number
  network: string
  eui: string
  /** Payloads in hexadecimal, the oldest first. */
  queue: readonly string[]
}

/** All that is known at the end of a run. */
export interface Facts extends History {
  uplinks: readonly StoredUplink[]
  /** Keys in the quarantine, as `organization EUI key`. */
  quarantined: readonly string[]
  /** Counters and ordinals that are wrong, by what (`countWrong`). */
  wrongCounters: Record<string, number>
  devices: readonly StoredDevice[]
  downlinks: readonly StoredDownlink[]
  atNetworks: readonly DeviceAtNetwork[]
  received: readonly ReceivedEvent[]
  /** What still waited when everything should have been done. */
  unfinished: readonly string[]
  /** Tables that differ between the database and its restored backup. */
  restoreDifferences: readonly string[]
}
