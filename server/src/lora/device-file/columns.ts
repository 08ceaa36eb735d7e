/**
 * What a column of a file of devices can be, and how its header usually reads: in the files of this
 * service, The Things Stack, ChirpStack, LORIOT, ThingPark and in what people write. A header belongs to
 * the first column that knows it, and an earlier header of a column wins: a `device_id` next to a
 * `dev_eui` is a name.
 */
// biome-ignore format: a list of words
export const deviceColumns = [
  {
    name: 'deviceId',
    label: 'DevEUI',
    headers: [
      'deveui', 'deviceeui', 'enddeviceeui', 'deveuioronboardingtag', 'deveui64', 'deui',
      'eui', 'eui64', 'deviceid',
    ],
  },
  {
    name: 'deviceName',
    label: 'Name',
    headers: [
      'devicename', 'name', 'title', 'label', 'displayname', 'sensorname', 'enddevicename',
      'geratename', 'geraetename', 'gerat', 'bezeichnung', 'sensor', 'nom', 'nomappareil',
      'nomdelappareil', 'nomducapteur', 'nombre', 'nombredispositivo', 'nombredeldispositivo',
      'nome', 'nomedispositivo', 'nomedodispositivo', 'naam', 'apparaatnaam', 'navn',
      'enhetsnavn', 'enhedsnavn', 'namn', 'enhetsnamn', 'nimi', 'nazwa', 'nazev', 'nazov',
      'nev', 'nume', 'ime', 'naziv', 'isim', 'имя', 'название', 'назва', 'ονομα', '名称',
      '名前', '设备名称', 'デバイス名', '이름', 'description', 'deviceid', 'id',
    ],
  },
  {
    name: 'deviceKey',
    label: 'Device key',
    headers: ['appkey', 'devicekey', 'applicationkey', 'rootkey', 'otaakey', 'nwkkey', 'key'],
  },
  {
    name: 'joinEui',
    label: 'JoinEUI',
    headers: ['joineui', 'appeui', 'applicationeui', 'joinid', 'jeui'],
  },
  {
    name: 'deviceType',
    label: 'Type',
    headers: [
      'devicetype', 'devicetypeid', 'devicetypename', 'type', 'partnumber', 'model', 'devicemodel', 'modelid',
      'devicemodelid', 'product', 'profile', 'deviceprofile', 'deviceprofilename',
    ],
  },
  { name: 'network', label: 'Network', headers: ['network', 'networkkey', 'networkserver'] },
  { name: 'accountName', label: 'Account', headers: ['accountname', 'account'] },
  { name: 'registerMethod', label: 'Register method', headers: ['registermethod'] },
  {
    name: 'deviceProfile',
    label: 'Device profile (id)',
    headers: ['deviceprofile', 'deviceprofileid'],
  },
  {
    name: 'appRegion',
    label: 'Region',
    headers: ['appregion', 'region', 'bandid', 'band', 'ismband', 'rfregion'],
  },
  {
    name: 'frequencyPlan',
    label: 'Frequency plan',
    headers: ['frequencyplan', 'frequencyplanid'],
  },
  { name: 'gatewayId', label: 'Gateway (id)', headers: ['gatewayid', 'gateway'] },
  {
    name: 'groupPath',
    label: 'Group',
    headers: [
      'grouppath', 'group', 'groups', 'groupname', 'site', 'location', 'building', 'path',
      'gruppe', 'standort', 'groupe', 'emplacement', 'grupo', 'ubicacion', 'gruppo', 'groep',
      'application', 'applicationname', 'applicationid',
    ],
  },
  {
    name: 'notes',
    label: 'Notes',
    headers: [
      'notes', 'extranotes', 'note', 'comment', 'comments', 'remark', 'remarks', 'description',
      'beschreibung', 'bemerkung', 'kommentar', 'notiz', 'commentaire', 'comentario',
    ],
  },
  { name: 'latitude', label: 'Latitude', headers: ['latitude', 'lat', 'adminlat'] },
  {
    name: 'longitude',
    label: 'Longitude',
    headers: ['longitude', 'lng', 'lon', 'long', 'adminlon'],
  },
  { name: 'altitude', label: 'Altitude', headers: ['altitude', 'alt'] },
  { name: 'tags', label: 'Tags (JSON)', headers: ['tags'] },
  { name: 'consoleOnly', label: 'Console only', headers: ['consoleonly'] },
  { name: 'lorawanVersion', label: 'LoRaWAN version', headers: ['lorawanversion', 'macversion'] },
  { name: 'supportsJoin', label: 'Joins (OTAA)', headers: ['supportsjoin', 'activation'] },
  { name: 'directive', label: 'Directive of ThingPark', headers: ['directive'] },
] as const satisfies readonly { name: string; label: string; headers: readonly string[] }[]

export type DeviceColumn = (typeof deviceColumns)[number]['name']

/** A column that holds the values of one tag: `tag:floor`. */
export type TagColumn = `tag:${string}`

/** The column of each field, by its position; absent for none. */
export type Mapping<Name extends string = DeviceColumn> = Partial<Record<Name | TagColumn, number>>

export function isTagColumn(name: string): name is TagColumn {
  return name.startsWith('tag:')
}

/** What a column is as a tag: its header without `tag:` is the key. */
export function toTagColumn(header: string): TagColumn {
  return `tag:${header
    .replace(/^\s*tags?:/i, '')
    .replaceAll(':', ' ')
    .trim()}`
}

/**
 * A header as headers are compared: `dev_eui`, `DevEUI` and `Device EUI (hex)` are the same, and `ä` is
 * `a`. One that says LSB is its own, since its bytes stand in the other order.
 */
export function plainHeader(header: string): string {
  const plain = /\blsb/i.test(header) ? header : header.replace(/\(.*?\)|\[.*?\]|\{.*?\}/g, '')
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** Guesses what the columns are from their headers. One that begins with `tag:` is a tag. */
export function guessColumns<Name extends string>(
  headers: readonly string[],
  columns: readonly { name: Name; headers: readonly string[] }[],
): Mapping<Name> {
  const plain = headers.map(plainHeader)
  const mapping: Mapping = {}
  const taken = new Set<number>()
  for (const [index, header] of headers.entries()) {
    if (!/^\s*tag:\s*[^\s:]/i.test(header)) continue
    mapping[toTagColumn(header)] ??= index
    taken.add(index)
  }
  for (const { name, headers: known } of columns) {
    for (const wanted of known.map(plainHeader)) {
      const column = plain.findIndex((header, index) => header === wanted && !taken.has(index))
      if (column < 0) continue
      mapping[name as DeviceColumn] = column
      taken.add(column)
      break
    }
  }
  return mapping as Mapping<Name>
}

/** The headers of columns that are nothing known, in their order. */
export function leftOutColumns(
  headers: readonly string[],
  mapping: Readonly<Record<string, number | undefined>>,
): string[] {
  const used = new Set(Object.values(mapping))
  return headers.filter((_, column) => !used.has(column))
}
