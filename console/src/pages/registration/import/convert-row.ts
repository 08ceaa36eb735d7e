import type { Mapping } from '../../../../../server/src/lora/device-file/columns.ts'
import {
  type DeviceRow,
  readDeviceRow,
} from '../../../../../server/src/lora/device-file/device-row.ts'
import { type AccountKey, accountInBody } from '../../../accounts/account-key.ts'
import { t } from '../../../languages/text.ts'

/** What holds for all rows whose columns do not say otherwise, and what names in cells mean. */
export interface ImportRules {
  mapping: Mapping
  network: string | null
  deviceType: string | null
  appRegion: string | null
  frequencyPlan: string | null
  /** Each with the account by which its devices go if the row names none. */
  networks: readonly { key: string; name: string; account: AccountKey }[]
  types: readonly { id: string; name: string }[]
}

/** A row as the API takes it, and the faults that the browser can see. */
export interface ConvertedRow {
  row: ApiRow
  faults: string[]
}

export interface ApiRow {
  deviceName: string
  deviceId: string
  provisioningData: {
    network: string
    registerMethod: 'user_account' | 'vendor'
    accountName?: string
    deviceKey: string
    deviceTypeId: number | null
    joinEui: string
    appRegion: string | null
    frequencyPlan: string | null
    gatewayId: number | string | null
    deviceProfile?: string
    consoleOnly?: boolean
  }
  /** As a spreadsheet numbers it. */
  source_row?: number
  group_path?: string
  tags?: Record<string, string>
  latitude?: number
  longitude?: number
  altitude?: number
  notes?: string
}

const anyJoinEui = '0000000000000000'
const longestName = 255

export function convertRow(cells: readonly string[], rules: ImportRules): ConvertedRow {
  const read = readDeviceRow(cells, rules.mapping)
  const { deviceId, deviceKey, joinEui, gatewayId, groupPath, notes, tags } = read
  const faults = Object.values(read.faults).filter((fault) => fault !== undefined)
  if (deviceId === '') faults.push(t('The DevEUI is missing.'))
  if (deviceKey === '') faults.push(t('The device key is missing.'))
  const network = findNetwork(read.network || rules.network, rules, faults)
  const row: ApiRow = {
    deviceName: read.deviceName || deviceId,
    deviceId,
    provisioningData: {
      network: network?.key ?? read.network,
      ...accountOf(read, network?.account),
      deviceKey,
      deviceTypeId: findType(read.deviceType || rules.deviceType, rules, faults),
      joinEui: joinEui || anyJoinEui,
      appRegion: read.appRegion || rules.appRegion,
      frequencyPlan: read.frequencyPlan || rules.frequencyPlan,
      gatewayId: /^\d+$/.test(gatewayId) ? Number(gatewayId) : gatewayId || null,
    },
  }
  if (read.deviceProfile) row.provisioningData.deviceProfile = read.deviceProfile
  if (read.isConsoleOnly) row.provisioningData.consoleOnly = true
  if (row.deviceName.length > longestName) {
    faults.push(t('The name has more than {longestName} characters.', { longestName }))
  }
  if (groupPath) row.group_path = groupPath
  if (notes) row.notes = notes
  if (Object.keys(tags).length > 0) row.tags = tags
  Object.assign(row, read.place)
  return { row, faults }
}

/** What is no name of an account is sent as it is: the API says what is wrong with it. */
function accountOf(
  { accountName, registerMethod }: Pick<DeviceRow, 'accountName' | 'registerMethod'>,
  usual: AccountKey = 'user_account',
) {
  if (accountName !== '') return accountInBody(`user_account:${accountName}`)
  const isMethod = registerMethod === 'vendor' || registerMethod === 'user_account'
  return isMethod ? ({ registerMethod } as const) : accountInBody(usual)
}

function findNetwork(text: string | null, { networks }: ImportRules, faults: string[]) {
  const wanted = text?.toLowerCase()
  const found = networks.find(({ key, name }) => key === wanted || name.toLowerCase() === wanted)
  if (!text) faults.push(t('The network is missing.'))
  else if (!found) faults.push(t('The network “{text}” is not connected or not known.', { text }))
  return found
}

/** By id, part number or name. */
function findType(text: string | null, { types }: ImportRules, faults: string[]): number | null {
  if (!text) {
    faults.push(t('The type is missing.'))
    return null
  }
  const wanted = text.toLowerCase()
  const found =
    types.find(({ id, name }) => id === text || name.toLowerCase() === wanted) ??
    types.find(({ name }) => name.toLowerCase().startsWith(`${wanted} - `)) ??
    types.find(({ name }) => name.toLowerCase().endsWith(` - ${wanted}`))
  if (!found) faults.push(t('No type has the id, part number or name “{text}”.', { text }))
  return found ? Number(found.id) : null
}
