import { type AccountKey, accountInBody } from '../../../accounts/account-key.ts'
import { isHex, plainHex } from '../label/hex.ts'
import type { ImportField, Mapping } from './import-fields.ts'

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

/** A row as the API takes it, and what is wrong with it as far as the browser can tell. */
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
  }
  group_path?: string
  notes?: string
}

const anyJoinEui = '0000000000000000'
const longestName = 255

export function convertRow(cells: readonly string[], rules: ImportRules): ConvertedRow {
  const read = (field: ImportField) => {
    const column = rules.mapping[field]
    return column === undefined ? '' : unguard(cells[column] ?? '').trim()
  }
  const faults: string[] = []
  const deviceId = hexOf(read('deviceId'), 16, 'device EUI', faults)
  const network = findNetwork(read('network') || rules.network, rules, faults)
  const gateway = read('gatewayId')
  const row: ApiRow = {
    deviceName: read('deviceName') || deviceId,
    deviceId,
    provisioningData: {
      network: network?.key ?? read('network'),
      ...accountOf(read('accountName'), network?.account),
      deviceKey: hexOf(read('deviceKey'), 32, 'device key', faults),
      deviceTypeId: findType(read('deviceType') || rules.deviceType, rules, faults),
      joinEui: read('joinEui') ? hexOf(read('joinEui'), 16, 'join EUI', faults) : anyJoinEui,
      appRegion: read('appRegion') || rules.appRegion,
      frequencyPlan: read('frequencyPlan') || rules.frequencyPlan,
      gatewayId: /^\d+$/.test(gateway) ? Number(gateway) : gateway || null,
    },
  }
  if (row.deviceName.length > longestName) {
    faults.push(`The name has more than ${longestName} characters.`)
  }
  const [path, notes] = [read('groupPath'), read('notes')]
  if (path) row.group_path = path
  if (notes) row.notes = notes
  return { row, faults }
}

/** What is no name of an account is sent as it is: the API says what is wrong with it. */
function accountOf(name: string, usual: AccountKey = 'user_account') {
  return name === '' ? accountInBody(usual) : accountInBody(`user_account:${name}`)
}

/** This console's own files guard cells that spreadsheets would run as formulas. */
function unguard(cell: string): string {
  return /^'[=+\-@＝＋－＠\t\r]/.test(cell) ? cell.slice(1) : cell
}

function hexOf(text: string, length: number, label: string, faults: string[]): string {
  const hex = plainHex(text)
  if (hex === '') faults.push(`The ${label} is missing.`)
  else if (!isHex(hex)) faults.push(`The ${label} has other characters than 0 to 9 and A to F.`)
  else if (hex.length !== length) {
    // A spreadsheet that took the EUI for a number has cut its digits.
    faults.push(`The ${label} has ${hex.length} digits instead of ${length}.`)
  }
  return isHex(hex) ? hex : text
}

function findNetwork(text: string | null, { networks }: ImportRules, faults: string[]) {
  const wanted = text?.toLowerCase()
  const found = networks.find(({ key, name }) => key === wanted || name.toLowerCase() === wanted)
  if (!text) faults.push('The network is missing.')
  else if (!found) faults.push(`The network “${text}” is not connected or not known.`)
  return found
}

/** By id, part number or name. */
function findType(text: string | null, { types }: ImportRules, faults: string[]): number | null {
  if (!text) {
    faults.push('The type is missing.')
    return null
  }
  const wanted = text.toLowerCase()
  const found =
    types.find(({ id, name }) => id === text || name.toLowerCase() === wanted) ??
    types.find(({ name }) => name.toLowerCase().startsWith(`${wanted} - `)) ??
    types.find(({ name }) => name.toLowerCase().endsWith(` - ${wanted}`))
  if (!found) faults.push(`No type has the id, part number or name “${text}”.`)
  return found ? Number(found.id) : null
}
