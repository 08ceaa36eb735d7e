import Papa from 'papaparse'
import { makeDevice, type SourceDevice } from './source-device.ts'

/**
 * Columns of a file of devices, with the names that other programs give them: those of this service
 * (`GET /jobs/{job_id}/rows/csv`), of The Things Stack
 * (thethingsindustries.com/docs/hardware/devices/adding-devices/adding-devices-in-bulk/device-csv),
 * and those in common use. Case, blanks, dashes and underscores make no difference.
 */
const columns = {
  eui: ['device id', 'dev eui', 'device eui', 'eui'],
  name: ['device name', 'name'],
  joinEui: ['join eui', 'app eui', 'application eui'],
  key: ['device key', 'app key', 'application key', 'nwk key'],
  profile: ['device type', 'profile', 'device profile', 'model', 'model id', 'type'],
  group: ['group path', 'group', 'groups', 'application', 'application name', 'application id'],
  notes: ['notes', 'description', 'extra notes'],
  network: ['network'],
  registerMethod: ['register method'],
  accountName: ['account name', 'account'],
  gatewayId: ['gateway id'],
  appRegion: ['app region', 'region'],
  frequencyPlan: ['frequency plan', 'frequency plan id'],
  consoleOnly: ['console only'],
} as const

/** @throws Error where no column is the DevEUI. */
export function readDeviceRows(
  path: string,
  [header = [], ...rows]: readonly string[][],
): SourceDevice[] {
  const places = findColumns(header, columns)
  if (!places.has('eui')) {
    throw new Error(
      `${path} has no column for the DevEUI: its first line must name the columns, such as device_id, device_name, device_key, join_eui, device_type, group_path, notes.`,
    )
  }
  return rows.map((cells) => readRow(cells, places))
}

/** Commas, semicolons, tabs or bars, whichever the file has. */
export function parseCsv(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  return data
}

/** UTF-8, or Windows-1252 as spreadsheets write it. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A name of a column as names are compared. */
export function toPlain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}

/** Where the columns are that a header names, each by one of its names. */
export function findColumns<Column extends string>(
  header: readonly string[],
  columns: Readonly<Record<Column, readonly string[]>>,
): Map<Column, number> {
  const names = header.map(toPlain)
  const found = new Map<Column, number>()
  for (const [column, known] of Object.entries(columns) as [Column, readonly string[]][]) {
    const at = known.map((name) => names.indexOf(toPlain(name))).find((index) => index >= 0)
    if (at !== undefined) found.set(column, at)
  }
  return found
}

/** The cells of a row, trimmed; a missing one is empty. */
export function cellsOf<Column>(cells: readonly string[], places: ReadonlyMap<Column, number>) {
  const cellAt = (at: number) => unquote(cells[at]?.trim() ?? '')
  return { cellAt, cell: (column: Column) => cellAt(places.get(column) ?? -1) }
}

function readRow(
  cells: readonly string[],
  places: ReadonlyMap<keyof typeof columns, number>,
): SourceDevice {
  const { cell } = cellsOf(cells, places)
  const [network, registerMethod] = [cell('network'), cell('registerMethod')]
  const accountName = cell('accountName')
  const [appRegion, frequencyPlan] = [cell('appRegion'), cell('frequencyPlan')]
  const gatewayId = cell('gatewayId')
  return makeDevice(cell('eui'), {
    name: cell('name'),
    joinEui: toDigits(cell('joinEui')),
    key: toDigits(cell('key')),
    group: cell('group')
      .split('/')
      .flatMap((name) => name.trim() || []),
    profile: cell('profile'),
    notes: cell('notes'),
    place: {
      ...(network && { network }),
      ...(registerMethod && { registerMethod }),
      ...(accountName && { accountName }),
      ...(appRegion && { appRegion }),
      ...(frequencyPlan && { frequencyPlan }),
      ...(/^\d{1,9}$/.test(gatewayId) && { gatewayId: Number(gatewayId) }),
      ...(/^(1|true|yes)$/i.test(cell('consoleOnly')) && { consoleOnly: true }),
    },
  })
}

/** Exports for spreadsheets put an apostrophe before what looks like a formula. */
function unquote(text: string): string {
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text
}

function toDigits(text: string): string {
  return text.replace(/[\s:-]/g, '').toUpperCase()
}
