/** What a column of a file can be, and how its header usually reads. */
export const importFields = [
  { name: 'deviceName', label: 'Name', headers: ['name', 'devicename', 'title', 'description'] },
  { name: 'deviceId', label: 'Device EUI', headers: ['deveui', 'deviceeui', 'deviceid', 'eui'] },
  {
    name: 'deviceKey',
    label: 'Device key',
    headers: ['appkey', 'devicekey', 'rootkey', 'applicationkey', 'nwkkey', 'key'],
  },
  { name: 'joinEui', label: 'Join EUI', headers: ['joineui', 'appeui', 'applicationeui'] },
  {
    name: 'deviceType',
    label: 'Type',
    headers: ['devicetype', 'type', 'devicetypeid', 'partnumber', 'model', 'modelid', 'product'],
  },
  { name: 'network', label: 'Network', headers: ['network', 'networkkey', 'networkserver'] },
  { name: 'accountName', label: 'Account', headers: ['accountname', 'account'] },
  { name: 'appRegion', label: 'Region', headers: ['appregion', 'region', 'bandid', 'band'] },
  {
    name: 'frequencyPlan',
    label: 'Frequency plan',
    headers: ['frequencyplan', 'frequencyplanid'],
  },
  { name: 'gatewayId', label: 'Gateway (id)', headers: ['gatewayid', 'gateway'] },
  {
    name: 'groupPath',
    label: 'Group',
    headers: ['grouppath', 'group', 'groups', 'site', 'location', 'building', 'path'],
  },
  {
    name: 'notes',
    label: 'Notes',
    headers: ['notes', 'extranotes', 'comment', 'comments', 'note'],
  },
] as const

export type ImportField = (typeof importFields)[number]['name']

/** The column of each field, by its position; absent for none. */
export type Mapping = Partial<Record<ImportField, number>>

/** `dev_eui`, `DevEUI` and `Device EUI (hex)` read alike. */
function plainHeader(header: string): string {
  return header
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .replace(/[^a-z0-9]/g, '')
}

/**
 * Guesses what the columns are from their headers: those of The Things Stack, ChirpStack and LORIOT,
 * of this console's own exports, and what people write. An earlier word of a list wins.
 */
export function guessMapping(headers: readonly string[]): Mapping {
  const plain = headers.map(plainHeader)
  const mapping: Mapping = {}
  const taken = new Set<number>()
  for (const { name, headers: words } of importFields) {
    for (const word of words) {
      const column = plain.findIndex((header, index) => header === word && !taken.has(index))
      if (column < 0) continue
      mapping[name] = column
      taken.add(column)
      break
    }
  }
  return mapping
}

function rememberedKey(headers: readonly string[]): string {
  return `import ${headers.map(plainHeader).join(' ')}`
}

/** The mapping that was last used for a file with these headers. */
export function readMapping(headers: readonly string[]): Mapping {
  const guessed = guessMapping(headers)
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(rememberedKey(headers)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return guessed
    const known = importFields.flatMap(({ name }) => {
      const column = (stored as Record<string, unknown>)[name]
      const isColumn = typeof column === 'number' && column >= 0 && column < headers.length
      return isColumn ? [[name, column]] : []
    })
    return Object.fromEntries(known) as Mapping
  } catch {
    return guessed
  }
}

export function rememberMapping(headers: readonly string[], mapping: Mapping): void {
  localStorage.setItem(rememberedKey(headers), JSON.stringify(mapping))
}
