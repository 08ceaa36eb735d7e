import { type AccountKey, accountInBody, chosenAccount } from '../accounts/account-key.ts'
import type { Operations, Schemas } from '../api/generated.ts'
import { t } from '../languages/text.ts'

type DeviceForm = Schemas['DeviceForm']
export type Network = Schemas['FleetNetwork']
export type MoveBody = Operations['POST /devices/{device_id}/move']['body']

/** What the fields of a move hold, as text. */
export interface TargetValues {
  /** The key of the network. */
  network: string | null
  account: AccountKey | null
  appRegion: string | null
  frequencyPlan: string | null
  gatewayId: string | null
  hours: number
}

/** Fields in which the networks differ, with their labels. */
export const placeFields = [
  ['appRegion', t('Region')],
  ['frequencyPlan', t('Frequency plan')],
  ['gatewayId', t('Gateway')],
] as const

export const usualHours = 24

export const startValues: TargetValues = {
  network: null,
  account: null,
  appRegion: null,
  frequencyPlan: null,
  gatewayId: null,
  hours: usualHours,
}

/** Choices of a field; undefined if the network does not ask for it. */
export function choicesOf(
  form: DeviceForm,
  name: (typeof placeFields)[number][0],
): { value: string; label: string }[] | undefined {
  const field = form.fields[name]
  if (field === 'na') return undefined
  if (Array.isArray(field.values)) return []
  const values = (field.values ?? {}) as Record<string, string>
  return Object.entries(values).map(([value, label]) => ({ value, label }))
}

export function toTarget(network: Network, values: TargetValues): MoveBody {
  const { appRegion, frequencyPlan, gatewayId, hours } = values
  return {
    network: network.id ?? 0,
    ...accountInBody(chosenAccount(network.accounts, values.account)),
    hours,
    ...(appRegion === null ? {} : { appRegion }),
    ...(frequencyPlan === null ? {} : { frequencyPlan }),
    ...(gatewayId === null ? {} : { gatewayId: Number(gatewayId) }),
  }
}
